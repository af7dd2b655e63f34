public import DeskModel

/// What was changed of the registries, by whom and when, as far as it is kept.
///
/// A record is written in the transaction of its change: neither is there without the other.
public protocol AuditRegistry: Sendable {
    /// Lists records, newest first, before a number when one is given.
    ///
    /// With a business those about it alone; with nil all of the server's. Limit: 300.
    func auditRecords(
        of business: BusinessID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditRecord]

    /// Deletes the records from before a moment.
    func pruneAudit(before time: Timestamp) async throws(StoreError)
}

/// One record of the audit.
public struct AuditRecord: Hashable, Sendable {
    /// Rises with each record; none is given twice.
    public let number: Int64
    /// When the change was made, by the server's clock.
    public let time: Timestamp
    /// What was done, in a word such as `key_revoked`.
    public let kind: String
    /// The business that it is about; nil where it is about none, or about several.
    public let business: BusinessID?
    /// What was changed, by its name or id; empty where there is no one thing.
    public let subject: String
    /// What more is known, such as the role that was given; mostly empty.
    public let detail: String
    /// Who changed it.
    public let author: Author

    /// Puts it together.
    package init(
        number: Int64, time: Timestamp, kind: String, business: BusinessID?, subject: String,
        detail: String, author: Author
    ) {
        self.number = number
        self.time = time
        self.kind = kind
        self.business = business
        self.subject = subject
        self.detail = detail
        self.author = author
    }
}

/// Notifies of every change of the registries.
public protocol RegistryFeed: Sendable {
    /// Calls `listener` with the changes of each transaction, those that the audit does not keep
    /// included, for as long as the store is open.
    ///
    /// Order: as they were committed; each after its commit and before its caller is answered. Of the
    /// changes that this process made; those of other nodes come by `CredentialFeed`. Thread: a thread of the store, so it must be quick and must not
    /// wait.
    func followRegistries(_ listener: @escaping @Sendable ([RegistryEntry]) -> Void)
}
