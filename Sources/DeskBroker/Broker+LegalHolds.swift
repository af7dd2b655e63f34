public import DeskModel
import DeskStore

/// Legal holds: what is kept from being erased.
extension Broker {
    /// Keeps conversations of a business, or all of it, from being erased; what was erased before stays so.
    ///
    /// Order: an erasure whose commit comes after this one's is refused as `onHold`.
    /// - Returns: how many holds were placed or got another reason.
    /// - Throws: `notFound` or `unusable` as refusals.
    public func placeHolds(
        on subjects: [LegalHold.Subject], of business: BusinessID, reason: String,
        by author: Author
    ) async throws(BrokerError) -> Int {
        try await commit(
            PlaceLegalHolds(on: subjects, of: business, reason: reason, by: author, at: now()))
    }

    /// Keeps them no longer.
    ///
    /// - Returns: how many holds were released.
    /// - Throws: `notFound` as a refusal.
    public func releaseHolds(
        on subjects: [LegalHold.Subject], of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Int {
        try await commit(ReleaseLegalHolds(on: subjects, of: business, by: author))
    }
}
