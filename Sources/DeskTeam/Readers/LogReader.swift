public import DeskModel
public import DeskStore

/// What a team's state and rules are made of: a reader of the log with a cursor of its own.
///
/// A reader is a name, the events that it wants, and how it applies a batch of them. `ReaderRunner` runs
/// it: in one process at a time, from its cursor on, again after a crash.
public protocol LogReader: Sendable {
    /// What its cursor lies under; it never changes.
    var name: ReaderName { get }

    /// Where it begins when it has no cursor, or one that this log does not know.
    var beginning: ReaderBeginning { get }

    /// What is stored when it begins: what an earlier life of it stored is replaced.
    var beginningWrites: ReaderWrites { get }

    /// Whether it wants the events of a type; types that this program does not know are never given.
    func wants(_ type: EventType) -> Bool

    /// Applies events and returns what is stored in the commit that moves the cursor behind them.
    ///
    /// Order: by position, each once; after a crash a batch whose result was not stored comes again,
    /// perhaps cut otherwise. The conversation beside an event may be newer than the event. Limit: 300
    /// events.
    /// - Throws: what the store throws; the batch comes again.
    func apply(_ events: [Event]) async throws(StoreError) -> ReaderWrites
}

/// Where a reader begins.
public enum ReaderBeginning: Hashable, Sendable {
    /// With the oldest event that is kept: for what is counted or collected.
    case oldest
    /// Behind the newest event: for what acts, since it must not act again on what is long past.
    case newest
}
