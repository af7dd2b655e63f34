/// Who a session or a one-time link speaks for.
public enum SessionSubject: Hashable, Sendable {
    /// An agent who signed in.
    case agent(AgentID)
    /// A customer's device in one conversation.
    case customer(ConversationID)
    /// A visitor of the sandbox page.
    case sandbox
    /// The holder of the printed link that creates the first owner.
    case setup
    /// The holder of the operator's link that gives an account a new password.
    case newPassword(AgentID)
}

/// A session or one-time link as kept: its token only as a hash.
public struct Session: Hashable, Sendable {
    /// SHA-256 of the token.
    public let token: Digest
    /// Who it speaks for.
    public let subject: SessionSubject
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was used last, as far as `touch` recorded it.
    public var usedAt: Timestamp
    /// After this moment the session has expired.
    public var expiresAt: Timestamp
    /// Whether it was begun with a passkey, which is two factors by itself.
    public let isByPasskey: Bool

    /// Describes a session.
    public init(
        token: Digest, subject: SessionSubject, createdAt: Timestamp, expiresAt: Timestamp,
        isByPasskey: Bool = false
    ) {
        self.token = token
        self.subject = subject
        self.createdAt = createdAt
        usedAt = createdAt
        self.expiresAt = expiresAt
        self.isByPasskey = isByPasskey
    }
}
