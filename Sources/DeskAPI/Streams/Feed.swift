public import DeskBroker
package import DeskEventJSON
public import DeskModel
public import DeskStore
public import DeskWeb

/// What one reader of a stream receives and how it is worded; the same for both kinds of stream.
public struct Feed: Sendable {
    /// The events the reader is entitled to.
    public let scope: EventScope
    /// For whom events are written.
    public let audience: Audience
    /// The reader, who does not receive their own signals.
    public let reader: Author
    /// Messages up to this number are not sent: the customer deleted them.
    public var deletedUpTo = SequenceNumber.start
    /// What of it the reader asked for.
    var filter = EventFilter()
    /// The text of an event; for one audience always the same function.
    public let text: @Sendable (Event) -> [UInt8]

    /// Puts a feed together.
    public init(
        scope: EventScope, audience: Audience, reader: Author,
        text: @escaping @Sendable (Event) -> [UInt8]
    ) {
        self.scope = scope
        self.audience = audience
        self.reader = reader
        self.text = text
    }

    /// What agents, keys and the sandbox read of businesses.
    package static func business(
        _ principal: Principal, in businesses: Set<BusinessID>, _ authorNames: AuthorNames
    ) -> Feed {
        Feed(
            scope: .businesses(businesses),
            audience: .business, reader: principal.author
        ) { EventText.business($0, authorNames) }
    }

    /// What a customer's phone reads; `deletedUpTo` is the last message that the customer deleted.
    public static func customer(
        _ principal: CustomerPrincipal, deletedUpTo: SequenceNumber
    ) -> Feed {
        var feed = Feed(
            scope: .customer(principal.conversation), audience: .customer,
            reader: .customer(device: principal.device)
        ) { EventText.customer($0) }
        feed.deletedUpTo = deletedUpTo
        return feed
    }

    /// Whether the reader receives an event.
    func includes(_ event: Event) -> Bool {
        (event.sequence.map { $0 > deletedUpTo } ?? true) && filter.includes(event)
    }

    /// Whether the reader receives a signal: those of others, of what is an agent's own the own ones.
    func includes(_ signal: Signal) -> Bool {
        guard filter.includes(signal) else { return false }
        return switch signal.kind {
        case .typing, .presence, .availability: signal.who != reader
        case .draft, .choice, .preferences, .view: signal.who == reader
        case .rule, .approval: true
        case .read: false
        }
    }

    /// The cursor that a reader named: nil for none, one that leads to a reset for no event's name.
    static func cursor(_ text: String?) -> EventID? {
        text.map { EventID($0) ?? EventID(epoch: Epoch(0), position: .start) }
    }
}
