public import DeskModel

/// How far each reader of the log has come, and what it stores of what it read.
///
/// A reader's cursor is its only state beside what it stores, and both are committed together: after a
/// crash it goes on behind the last batch whose result is stored.
public protocol ReaderRegistry: Sendable {
    /// How far a reader has come; nil for one that has not begun.
    func findCursor(of reader: ReaderName) async throws(StoreError) -> EventID?

    /// Moves a reader's cursor and stores what the reader made of the events in between, both or
    /// neither.
    ///
    /// Durable: on return both survive a power cut.
    ///
    /// - Parameter before: where the reader's cursor was when it began with the batch; nil for none.
    /// - Throws: `superseded` when the lease is no longer the caller's, or the cursor is not where it
    ///   was; then nothing was stored.
    func advance(
        _ reader: ReaderName, from before: EventID?, to after: EventID,
        storing writes: ReaderWrites, under lease: Lease
    ) async throws(StoreError)

    /// Forgets how far a reader has come: it begins anew, which replaces what it stored.
    func forgetCursor(of reader: ReaderName, author: Author) async throws(StoreError)
}

/// What a reader of the log stores in the commit that moves its cursor.
public enum ReaderWrites: Hashable, Sendable {
    /// Nothing but the cursor.
    case nothing
    /// Counters of reports, and what they are counted from.
    case reports(ReportChange)
    /// Nothing, and forgets what is beyond the bound of the log of rules of some businesses.
    case rules(of: Set<BusinessID>)
    /// Deliveries to webhook endpoints; to those that are disabled or removed by then none.
    case webhooks([Delivery])
}
