/// A code that leads a phone into a business; kept only as hashes.
public struct JoinCode: Hashable, Sendable {
    /// Wrong typings after which the typed form is refused.
    public static let maximumTries = 5

    /// A public name for it, safe to show.
    public let id: String
    /// Where it leads.
    public let business: BusinessID
    /// SHA-256 of the code in the link.
    public let link: Digest
    /// The first half of the typed form: finds the code, authenticates nothing.
    public let locator: String
    /// Keyed digest (HMAC-SHA-256) of the second half of the typed form.
    public let typed: Digest
    /// When it was made.
    public let createdAt: Timestamp
    /// After this moment it has expired.
    public let expiresAt: Timestamp
    /// Conversations that it may still begin.
    public var usesLeft: Int
    /// Wrong typings that it still survives.
    public var triesLeft: Int
    /// The conversation it began last.
    public var conversation: ConversationID?

    /// Describes a fresh code.
    public init(
        id: String, business: BusinessID, link: Digest, locator: String, typed: Digest,
        createdAt: Timestamp, expiresAt: Timestamp, uses: Int
    ) {
        self.id = id
        self.business = business
        self.link = link
        self.locator = locator
        self.typed = typed
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        usesLeft = uses
        triesLeft = Self.maximumTries
    }
}
