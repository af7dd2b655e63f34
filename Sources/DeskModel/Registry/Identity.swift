/// Who a person is to an identity provider: both are compared as bytes, and mean the person together alone.
public struct Identity: Hashable, Sendable {
    /// Most bytes of a subject (OpenID Connect Core 1.0, section 2).
    public static let subjectBytes = 255

    /// The provider's own name, which is an address.
    public let issuer: String
    /// The provider's name of the person, which it gives to no other.
    public let subject: String

    /// Puts the two together.
    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Whether both have the same bytes.
    public static func == (left: Identity, right: Identity) -> Bool {
        left.issuer.utf8.elementsEqual(right.issuer.utf8)
            && left.subject.utf8.elementsEqual(right.subject.utf8)
    }

    /// Hashes the bytes of both.
    public func hash(into hasher: inout Hasher) {
        for byte in issuer.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
        for byte in subject.utf8 { hasher.combine(byte) }
    }
}

/// An identity that an account is linked to.
public struct LinkedIdentity: Hashable, Sendable {
    /// The identity.
    public let identity: Identity
    /// The account.
    public let agent: AgentID
    /// When the two were linked.
    public let createdAt: Timestamp

    /// Describes a link.
    public init(identity: Identity, agent: AgentID, createdAt: Timestamp) {
        self.identity = identity
        self.agent = agent
        self.createdAt = createdAt
    }
}

/// The outcome of linking an identity.
public enum LinkOutcome: Hashable, Sendable {
    /// This account is the identity's, since now or before.
    case account(AgentID)
    /// No account with a password has the address.
    case noAccount
    /// Several accounts with a password have the address.
    case severalAccounts
    /// The account is another person's to this provider.
    case otherIdentity
}
