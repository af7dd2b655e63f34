public import DeskModel

/// A range of all messages in the log's order, whatever their conversation.
public struct MessageRange: Sendable {
    /// The messages, payloads included.
    public let messages: [StoredMessage]
    /// The positions of damaged messages, whose content is left out.
    public let damaged: [Position]
    /// Everything up to here was looked at.
    public let end: Position

    /// Puts a range together.
    public init(messages: [StoredMessage], damaged: [Position], end: Position) {
        self.messages = messages
        self.damaged = damaged
        self.end = end
    }
}

/// That a message's content was erased, for readers who keep something of it.
public struct Erasure: Hashable, Sendable {
    /// Its number; numbers rise in the order of erasure.
    public let number: Int64
    /// Where the message lies.
    public let position: Position

    /// Puts the two together.
    public init(number: Int64, position: Position) {
        self.number = number
        self.position = position
    }
}

/// Gives messages by their place in the log, which no retention removes.
public protocol MessageSource: NoteSource {
    /// The life of the store.
    var epoch: Epoch { get }

    /// The newest position that is durable.
    var newest: Position { get }

    /// Reads the messages after a position.
    ///
    /// Order: by position. Limit: `limit` messages and about 4 MiB of payloads, at least one.
    func messages(after position: Position, limit: Int) async throws(StoreError) -> MessageRange

    /// Lists erased messages after a number, with the number of each erasure.
    ///
    /// Order: by number. Limit: 300.
    func erasures(after number: Int64) async throws(StoreError) -> [Erasure]

    /// Reads the messages at some positions; what is missing or not whole is left out.
    func messages(at positions: [Position]) async throws(StoreError) -> [StoredMessage]
}

/// The outcome of a batch of reading the log.
public struct SearchAdvance: Sendable {
    /// Whether there is more to read at once.
    public var mayGoOn = false
    /// How many messages were indexed.
    public var messages = 0
    /// Messages that are not whole and cannot be found.
    public var damaged: [Position] = []
    /// Whether the index was unusable and is being rebuilt.
    public var isAnew = false

    /// A batch of nothing.
    public init() {}
}

/// One message that a search found.
public struct SearchHit: Sendable {
    /// The message, its payload by reference: the snippet shows what was found.
    public let message: StoredMessage
    /// The part of its text that shows why.
    public let snippet: SearchSnippet

    /// Puts the two together.
    public init(message: StoredMessage, snippet: SearchSnippet) {
        self.message = message.carrying(atMostBytes: 0)
        self.snippet = snippet
    }
}

/// A page of what a search found, newest first.
public struct SearchPage: Sendable {
    /// How long a search looks, in milliseconds, before it ends its page.
    public static let lookMilliseconds = 250

    /// What was found.
    public let hits: [SearchHit]
    /// Behind which place the next page lies, of older messages; nil when everything was looked at.
    public let next: Position?
    /// Before which place the previous page lies, of newer messages; nil when everything was looked at.
    public let previous: Position?
    /// Messages up to here can be found.
    public let indexed: Position

    /// Puts a page together of what was found at an edge.
    ///
    /// - Parameters:
    ///   - hits: newest first.
    ///   - rest: where the search goes on in its direction; nil when everything was looked at.
    public init(
        _ hits: [SearchHit], at edge: PageEdge<Position>, rest: Position?, indexed: Position
    ) {
        self.hits = hits
        self.indexed = indexed
        switch edge {
        case .start: (previous, next) = (nil, rest)
        case .after(let place):
            // What is at the place is before this page.
            previous = hits.first?.message.position ?? Position(max(0, place.value - 1))
            next = rest
        case .before(let place):
            previous = rest
            next = hits.last?.message.position ?? Position(place.value + 1)
        }
    }
}

/// Finds messages and notes by their words: a reader of the log with a cursor of its own, which may trail.
///
/// Everything it holds can be made again from the log.
public protocol SearchIndex: Sendable {
    /// Messages up to here can be found.
    var indexed: Position { get }

    /// Indexes the next batch of messages; unless that is urgent, behind all other work.
    ///
    /// Thread: one caller at a time.
    func advance(isUrgent: Bool) async throws(StoreError) -> SearchAdvance

    /// Finds messages of some businesses, newest first; the order of the list is the log's, backwards.
    ///
    /// A page may be short or empty and still have a `next`, or at an edge `before` a `previous`, when the
    /// search reached its time limit.
    func search(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> SearchPage

    /// Finds notes of some businesses, the newest first; a place is a note's number.
    ///
    /// A page may have fewer notes than were asked for and still a `next`: what was edited or deleted since is left out.
    func searchNotes(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> NotePage

    /// Ends its threads; the index stays.
    func close() async
}

extension SearchIndex {
    /// Indexes the next batch of messages, behind all other work.
    public func advance() async throws(StoreError) -> SearchAdvance {
        try await advance(isUrgent: false)
    }
}
