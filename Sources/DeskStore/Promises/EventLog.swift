public import DeskModel

/// Which events a reader is entitled to.
public enum EventScope: Hashable, Sendable {
    /// All events of all businesses.
    case everything
    /// All events of some businesses.
    case businesses(Set<BusinessID>)
    /// All events of one conversation, as the business sees it.
    case conversation(ConversationID)
    /// The events of one conversation that its customer may see.
    case customer(ConversationID)

    /// Whether an event is within the scope.
    public func includes(_ event: Event) -> Bool {
        switch self {
        case .everything: true
        case .businesses(let businesses): businesses.contains(event.business)
        case .conversation(let id): event.conversation?.id == id
        case .customer(let id): event.conversation?.id == id && event.type.isForCustomer
        }
    }
}

/// A range of the log as one reader sees it.
public struct EventPage: Sendable {
    /// The events in the scope, in order.
    public let events: [Event]
    /// Everything up to here was looked at; the next page starts after it.
    public let end: Position

    /// Puts a page together.
    public init(events: [Event], end: Position) {
        self.events = events
        self.end = end
    }
}

/// The log: every change is appended to it, and every reader follows it with a cursor.
public protocol EventLog: Sendable {
    /// The life of the store; made at creation, new at each restore.
    var epoch: Epoch { get }

    /// The newest position that is durable; 0 when there is none.
    var newest: Position { get }

    /// The oldest position that a cursor may have; events after it can be replayed.
    var oldest: Position { get }

    /// Stores groups, each whole or not at all, and returns the answer of each or its refusal.
    ///
    /// A refused group stores nothing. A message whose id is known with the same bytes stores
    /// nothing and gives the first answer; the group goes on.
    /// Order: positions rise by one in the order of commit; sequences rise by one in each
    /// conversation. Durable: on return every group survives a power cut. Cancel: ignored.
    /// - Throws: `full`, `failed` or `closed`; then nothing was acknowledged.
    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>]

    /// Reads events after a position, at most `limit`, payloads over 32 KiB by reference.
    ///
    /// Order: by position. Limit: 300 a page.
    func events(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage

    /// Hands committed events to a listener, set once before the first append.
    ///
    /// Events come after their commit. A store that one process writes hands over every event once, in
    /// order, before its appender resumes. A store that several processes write may skip events, repeat
    /// them and hand them over late: the listener reads what it missed (`events(after:in:limit:)`).
    /// Thread: the store's; the listener returns at once.
    func follow(_ listener: @escaping @Sendable ([Event]) -> Void)

    /// How often a follower has to compare positions because the feed may have left out the newest
    /// events; nil when the feed hands over every event.
    var feedInterval: Duration? { get }

    /// Whether a position was ever reached, waiting for this process to catch up with other writers.
    ///
    /// A store that one process writes answers at once. False: no such event was ever committed.
    /// - Throws: when it cannot be found out, which says nothing about the position.
    func reach(_ position: Position, within limit: Duration) async throws(StoreError) -> Bool

    /// Returns once everything that was read before is as durable as a commit.
    ///
    /// For answers that say by what was read that something was stored before. Answers of `append` say it of
    /// themselves.
    /// - Throws: when that cannot be found out.
    func confirmReads() async throws(StoreError)

    /// Forgets events up to a position for replay, but none that an outbox still needs; messages stay.
    func prune(upTo position: Position) async throws(StoreError)
}

extension EventLog {
    /// Every event is handed over.
    public var feedInterval: Duration? { nil }

    /// One process writes: what is not here does not exist.
    public func reach(_ position: Position, within limit: Duration) async throws(StoreError) -> Bool
    {
        position <= newest
    }

    /// One process writes: it reads what is flushed.
    public func confirmReads() async throws(StoreError) {}

    /// Stores one group, whole or not at all, and returns its last step's answer or its refusal.
    ///
    /// Order, durable, cancel and errors as of `append` with several groups.
    @inlinable
    public func append<Last: WriteStep>(
        _ last: Last, after first: [Write] = []
    ) async throws(StoreError) -> Result<Last.Answer, Refusal> {
        let results = try await append([WriteGroup(last, after: first)])
        precondition(results.count == 1, "\(results.count) answers for one group")
        return results[0]
    }
}
