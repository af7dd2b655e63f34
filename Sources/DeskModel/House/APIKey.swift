/// An API key as kept: its secret only as a hash.
public struct APIKey: Hashable, Sendable {
    /// The public part.
    public let id: KeyID
    /// What people call it.
    public let name: String
    /// SHA-256 of the secret.
    public let secret: Digest
    /// The world of all its businesses.
    public let world: World
    /// The businesses it may act for.
    public let businesses: [BusinessID]
    /// What it may do; empty means everything a key can.
    public let scopes: [String]
    /// When it was made.
    public let createdAt: Timestamp
    /// From when it is refused.
    public var revokedAt: Timestamp?
    /// About when it was used last, to the minute.
    public var usedAt: Timestamp?

    /// Describes a key.
    public init(
        id: KeyID, name: String, secret: Digest, world: World, businesses: [BusinessID],
        scopes: [String] = [], createdAt: Timestamp, revokedAt: Timestamp? = nil,
        usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.world = world
        self.businesses = businesses
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.usedAt = usedAt
    }
}
