/// A member's new role in a business, or the end of the membership, with all that hangs on it.
///
/// One commit: a business keeps at least one owner who can sign in; a former owner leaves no
/// invitation and no key's grant behind there; the conversations of a former member lose their
/// assignment.
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
    /// When.
    public let time: Timestamp

    /// Describes a change.
    public init(
        agent: AgentID, business: BusinessID, role: Role?, author: Author, time: Timestamp
    ) {
        self.agent = agent
        self.business = business
        self.role = role
        self.author = author
        self.time = time
    }
}
