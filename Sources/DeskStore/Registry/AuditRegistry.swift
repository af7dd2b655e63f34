public import DeskModel

/// What was changed of the registries, by whom and when, as far as it is kept.
///
/// A record is written in the transaction of its change: neither is there without the other.
public protocol AuditRegistry: Sendable {
    /// Lists records, newest first, in pages by their numbers.
    ///
    /// Limit: 300.
    func auditRecords(
        _ filter: AuditFilter, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<AuditRecord>

    /// Records that a table of a business is exported: its people's words leave the server at once.
    func noteExport(of table: String, in business: BusinessID, author: Author)
        async throws(StoreError)

    /// Deletes the records from before a moment.
    func pruneAudit(before time: Timestamp) async throws(StoreError)
}

/// Which records of the audit are meant: those that have all that is stated.
public struct AuditFilter: Hashable, Sendable {
    /// The business that they are about; nil for all of the server's.
    ///
    /// Those of its members, its keys and its links, which name no business, belong to it as well: a sign-in, a key that
    /// was revoked. They are a business's for as long as the member or the key is.
    public var business: BusinessID?
    /// What was done, in the word of a record.
    public var kind: String?
    /// Who changed it, by the name within the kind of author, such as an agent's id.
    public var author: String?
    /// What was changed, by its name or id.
    public var subject: String?
    /// The moment from which on.
    public var since: Timestamp?
    /// The moment before which.
    public var until: Timestamp?

    /// All records, or those of a business.
    public init(of business: BusinessID? = nil) { self.business = business }
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
