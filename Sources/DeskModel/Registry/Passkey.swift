/// A key pair in a person's device or password manager, which signs an account in (Web Authentication).
///
/// The server has the public half, and nothing that is secret.
public struct Passkey: Hashable, Sendable {
    /// Most passkeys of an account.
    public static let most = 10
    /// How many bytes an authenticator's name of one may have (Web Authentication, section 4, "Credential ID").
    public static let credentialBytes = 16...1_023

    /// Its name in the server.
    public let id: PasskeyID
    /// Whom it signs in.
    public let agent: AgentID
    /// What its person calls it.
    public let name: String
    /// The host that it works at; browsers offer it nowhere else.
    public let host: String
    /// The authenticator's own name of it.
    public let credential: [UInt8]
    /// The public key, as a `SubjectPublicKeyInfo` in DER.
    public let publicKey: [UInt8]
    /// How it signs: the number of COSE.
    public let algorithm: Int64
    /// How often it signed, as the authenticator said last; always 0 from one that does not count.
    public let counter: Int64
    /// When it was added.
    public let createdAt: Timestamp
    /// When it signed its person in last.
    public let usedAt: Timestamp?

    /// Describes a passkey.
    public init(
        id: PasskeyID, agent: AgentID, name: String, host: String, credential: [UInt8],
        publicKey: [UInt8], algorithm: Int64, counter: Int64, createdAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.agent = agent
        self.name = name
        self.host = host
        self.credential = credential
        self.publicKey = publicKey
        self.algorithm = algorithm
        self.counter = counter
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

/// What came of adding a passkey.
public enum AddedPasskey: Hashable, Sendable {
    /// It signs its person in from now on.
    case added
    /// An account has this one already.
    case known
    /// The account has as many as it may.
    case tooMany
    /// The session has ended meanwhile, as with a new password.
    case ended
}
