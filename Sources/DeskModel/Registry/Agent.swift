/// A person who answers customers.
public struct Agent: Hashable, Sendable {
    /// The person's name in the server.
    public let id: AgentID
    /// What colleagues call the person.
    public var name: String
    /// The address to sign in with, normalised at the edge; compared as bytes.
    public var email: String
    /// The scrypt text; nil until an invitation was accepted.
    public var password: String?
    /// When the person was added.
    public let createdAt: Timestamp

    /// Describes an agent.
    public init(
        id: AgentID, name: String, email: String, password: String?, createdAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.password = password
        self.createdAt = createdAt
    }
}

/// One person's part in one business.
public struct Membership: Hashable, Sendable {
    /// The person.
    public let agent: AgentID
    /// The business.
    public let business: BusinessID
    /// What the person may do there.
    public let role: Role
    /// Whether the business requires a second factor, which the person does not have.
    public let lacksSecondFactor: Bool

    /// Puts a membership together.
    public init(
        agent: AgentID, business: BusinessID, role: Role, lacksSecondFactor: Bool = false
    ) {
        self.agent = agent
        self.business = business
        self.role = role
        self.lacksSecondFactor = lacksSecondFactor
    }
}
