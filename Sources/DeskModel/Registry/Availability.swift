/// What an agent says of being there; kept until the agent says otherwise.
public enum Availability: String, Hashable, Sendable, CaseIterable {
    /// There while a page is in use, away while all are idle.
    case online
    /// Away, whatever the pages say.
    case away
    /// There, and not to be disturbed.
    case busy
    /// Offline to everybody else.
    case invisible
}

/// What an agent chose last.
public struct ChosenAvailability: Hashable, Sendable {
    /// Whose choice it is.
    public let agent: AgentID
    /// What was chosen.
    public let state: Availability
    /// Rises with each choice, so that of two reports the later one is known; 0 before the first.
    public let version: Int64

    /// Puts a choice together.
    public init(agent: AgentID, state: Availability = .online, version: Int64 = 0) {
        self.agent = agent
        self.state = state
        self.version = version
    }
}
