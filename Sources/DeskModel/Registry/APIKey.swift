/// A business's leave for a key to act for it; what a key may do is the sum of its grants.
public struct KeyGrant: Hashable, Sendable {
    /// The business.
    public let business: BusinessID
    /// The owner who answers for it; nil for the operator's, and for those of before grants were kept.
    public let maker: AgentID?
    /// When it was given, or confirmed last.
    public let grantedAt: Timestamp

    /// Describes a grant.
    public init(business: BusinessID, maker: AgentID?, grantedAt: Timestamp) {
        self.business = business
        self.maker = maker
        self.grantedAt = grantedAt
    }
}

/// An API key as kept: its secret only as a hash.
public struct APIKey: Hashable, Sendable {
    /// The public part.
    public let id: KeyID
    /// What people call it.
    public let name: String
    /// SHA-256 of the secret.
    public let secret: Digest
    /// The mode of all its businesses.
    public let mode: Mode
    /// The businesses it may act for, each with who let it.
    public var grants: [KeyGrant]
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
        id: KeyID, name: String, secret: Digest, mode: Mode, grants: [KeyGrant],
        scopes: [String] = [], createdAt: Timestamp, revokedAt: Timestamp? = nil,
        usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.mode = mode
        self.grants = grants
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.usedAt = usedAt
    }

    /// Describes a key whose grants were all given when it was made, by the same owner or the operator.
    public init(
        id: KeyID, name: String, secret: Digest, mode: Mode, businesses: [BusinessID],
        maker: AgentID? = nil, scopes: [String] = [], createdAt: Timestamp,
        revokedAt: Timestamp? = nil, usedAt: Timestamp? = nil
    ) {
        self.init(
            id: id, name: name, secret: secret, mode: mode,
            grants: businesses.map {
                KeyGrant(business: $0, maker: maker, grantedAt: createdAt)
            }, scopes: scopes, createdAt: createdAt, revokedAt: revokedAt, usedAt: usedAt)
    }

    /// The businesses it may act for.
    public var businesses: [BusinessID] { grants.map(\.business) }
}
