/// A member's new role in a business, or the end of the membership, with all that hangs on it.
///
/// One commit: it is refused to an agent whose role does not permit it any more; a business keeps at
/// least one owner who can sign in; who is given another role than owner leaves no invitation and no
/// key's grant behind there; who leaves, or is given a
/// role that handles no conversations, loses the conversations assigned to them and leaves the teams.
public struct MemberChange: Hashable, Sendable {
    /// Most conversations that the commit itself gives back; the rest follow in commits of their own.
    public static let conversationsAtOnce = 500

    /// The person.
    public let agent: AgentID
    /// The business.
    public let business: BusinessID
    /// The role from now on; nil ends the membership.
    public let role: Role?
    /// Who decided it.
    public let author: Author
    /// The roles that permit it to an agent, as the table of permissions has them.
    public let permitted: Set<Role>
    /// The roles whose members keep their conversations and teams, as the table of permissions has them.
    public let handling: Set<Role>
    /// When.
    public let time: Timestamp

    /// Whether the person keeps conversations and teams.
    public var keepsWork: Bool { role.map { handling.contains($0) } ?? false }

    /// Describes a change.
    public init(
        agent: AgentID, business: BusinessID, role: Role?, author: Author, permitted: Set<Role>,
        handling: Set<Role>, time: Timestamp
    ) {
        self.agent = agent
        self.business = business
        self.role = role
        self.author = author
        self.permitted = permitted
        self.handling = handling
        self.time = time
    }
}
