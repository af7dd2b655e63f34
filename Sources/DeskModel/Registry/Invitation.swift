/// A member's offer to join a business, made to an e-mail address; its link's token only as a hash.
///
/// It creates no membership by itself: the person who opens the link joins by accepting it.
public struct Invitation: Hashable, Sendable {
    /// Its name, safe to show.
    public let id: InvitationID
    /// The business to join.
    public let business: BusinessID
    /// For whom it is, normalised at the edge; compared as bytes.
    public let email: String
    /// What the person may do there.
    public let role: Role
    /// SHA-256 of the link's token.
    public let token: Digest
    /// The member who made it; it ends when that one is given another role than owner, or leaves.
    public let maker: AgentID
    /// When it was made.
    public let createdAt: Timestamp
    /// After this moment it leads nowhere.
    public let expiresAt: Timestamp

    /// Describes an invitation.
    public init(
        id: InvitationID, business: BusinessID, email: String, role: Role, token: Digest,
        maker: AgentID, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.business = business
        self.email = email
        self.role = role
        self.token = token
        self.maker = maker
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// With which account an invitation is accepted.
public enum Joining: Hashable, Sendable {
    /// With one that has a password, and the invitation's address.
    case known(AgentID)
    /// With a new one; `beside` are those with a password that the address had when it was made.
    case new(Agent, beside: [AgentID])
}

/// The outcome of accepting an invitation.
public enum JoinOutcome: Hashable, Sendable {
    /// This account is a member now; the invitation is used up.
    case joined(AgentID)
    /// The invitation is used up, withdrawn or too old.
    case gone
    /// The accounts of the address are others than the caller knew; nothing was changed.
    case changed
}
