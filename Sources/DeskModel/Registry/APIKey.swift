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

/// How far a key reaches besides its businesses.
public struct KeyLimits: Hashable, Sendable {
    /// The names of its scopes; none means those of `KeyScopes.unnamed`.
    public var scopes: [String]
    /// The addresses and networks that it may be used from, as `192.0.2.0/24`; none means any.
    public var addresses: [String]
    /// From when it is refused by itself.
    public var expiresAt: Timestamp?

    /// Describes limits; without any, all businesses of a key are open to what keys may do.
    public init(scopes: [String] = [], addresses: [String] = [], expiresAt: Timestamp? = nil) {
        self.scopes = scopes
        self.addresses = addresses
        self.expiresAt = expiresAt
    }

    /// Whether a program that knows no limits would let the key do more.
    public var areNarrow: Bool { !scopes.isEmpty || !addresses.isEmpty }
}

/// An API key as kept: its secret only as a hash.
public struct APIKey: Hashable, Sendable {
    /// Most keys of a business that are in force; one more is answered with 422.
    ///
    /// A key's first successor needs no room among them: it stays when that key ends.
    public static let most = 200
    /// Most keys in force that one without room may come after: its predecessor, that one's, and so on.
    public static let mostPredecessors = 10
    /// Days for which lists have a revoked key that nothing asks for.
    public static let revokedDays = 90

    /// From when on lists have the keys that were revoked.
    public static func revokedSince(_ now: Timestamp) -> Timestamp {
        now.advanced(by: .seconds(-revokedDays * 86_400))
    }

    /// The public part.
    public let id: KeyID
    /// What people call it.
    public let name: String
    /// A hash of the secret, which also depends on narrow limits (`KeySecret.digest(within:)`).
    public let secret: Digest
    /// The mode of all its businesses.
    public let mode: Mode
    /// The businesses it may act for, each with who let it.
    public var grants: [KeyGrant]
    /// What else it is limited to.
    public var limits: KeyLimits
    /// What it may do.
    public let scopes: KeyScopes
    /// The key that it came after, which goes on until it expires.
    public let predecessor: KeyID?
    /// When it was made.
    public let createdAt: Timestamp
    /// From when it is refused.
    public var revokedAt: Timestamp?
    /// About when it was used last, to the minute.
    public var usedAt: Timestamp?

    /// Describes a key.
    public init(
        id: KeyID, name: String, secret: Digest, mode: Mode, grants: [KeyGrant],
        limits: KeyLimits = KeyLimits(), predecessor: KeyID? = nil, createdAt: Timestamp,
        revokedAt: Timestamp? = nil, usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.secret = secret
        self.mode = mode
        self.grants = grants
        self.limits = limits
        scopes = limits.scopes.isEmpty ? .unnamed : KeyScopes(names: limits.scopes)
        self.predecessor = predecessor
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.usedAt = usedAt
    }

    /// Describes a key whose grants were all given when it was made, by the same owner or the operator.
    public init(
        id: KeyID, name: String, secret: Digest, mode: Mode, businesses: [BusinessID],
        maker: AgentID? = nil, limits: KeyLimits = KeyLimits(), predecessor: KeyID? = nil,
        createdAt: Timestamp, revokedAt: Timestamp? = nil, usedAt: Timestamp? = nil
    ) {
        self.init(
            id: id, name: name, secret: secret, mode: mode,
            grants: businesses.map {
                KeyGrant(business: $0, maker: maker, grantedAt: createdAt)
            }, limits: limits, predecessor: predecessor, createdAt: createdAt,
            revokedAt: revokedAt, usedAt: usedAt)
    }

    /// The businesses it may act for.
    public var businesses: [BusinessID] { grants.map(\.business) }
}

/// One request that was made with a key, as its owners see it.
public struct KeyRequest: Hashable, Sendable {
    /// How many of a key are kept.
    public static let kept = 100

    /// When it was answered.
    public let time: Timestamp
    /// The name of the operation in the API file.
    public let operation: String
    /// The status of the answer.
    public let status: Int
    /// The code of the problem; empty without one.
    public let code: String
    /// How long the answer lasted, in milliseconds.
    public let milliseconds: Int
    /// Where it came from.
    public let address: String
    /// The answer's `X-Request-Id`.
    public let request: String

    /// Describes a request.
    public init(
        time: Timestamp, operation: String, status: Int, code: String, milliseconds: Int,
        address: String, request: String
    ) {
        self.time = time
        self.operation = operation
        self.status = status
        self.code = code
        self.milliseconds = milliseconds
        self.address = address
        self.request = request
    }
}
