public import DeskModel

/// After how many days businesses have content erased by itself.
public protocol RetentionRegistry: Sendable {
    /// Finds what a business chose; nil where content is kept for ever.
    func retention(of business: BusinessID) async throws(StoreError) -> Retention?
    /// Lists what businesses chose, in the order of their ids.
    func retentions() async throws(StoreError) -> [Retention]
    /// Keeps a choice instead of the one before, and goes on behind what that one erased; returns it as it is then.
    ///
    /// A choice of the same days changes nothing.
    /// Order: of two callers each finds what the other stored.
    func setRetention(
        ofDays days: Int, of business: BusinessID, at time: Timestamp, author: Author
    ) async throws(StoreError) -> Retention
    /// Has content kept for ever; returns whether it was not.
    func removeRetention(of business: BusinessID, author: Author) async throws(StoreError) -> Bool
    /// Notes how far the erasing by a choice has come; nothing where another was made meanwhile.
    ///
    /// - Throws: `superseded` when the lease is another's; then nothing was stored.
    func advanceRetention(_ retention: Retention, under lease: Lease) async throws(StoreError)
}
