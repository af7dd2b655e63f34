public import DeskModel

/// Whom notes mention, and who has seen that; the rows come and go with the notes.
public protocol MentionRegistry: Sendable {
    /// The conversations with mentions that an agent has not seen, those mentioned last first.
    ///
    /// Limit: `MentionBounds.maximumUnseen`.
    func unseenMentions(
        of agent: AgentID, in businesses: Set<BusinessID>
    ) async throws(StoreError) -> [ConversationID]
    /// Notes that an agent has seen the mentions in a conversation; returns whether any was new.
    func markMentionsSeen(
        by agent: AgentID, in conversation: ConversationID, at time: Timestamp
    ) async throws(StoreError) -> Bool
}

/// Whom a note is to mention: members, and teams, whose members are looked up when it is written.
///
/// Of the members that it names each must have one of the permitted roles.
public struct Mentioned: Hashable, Sendable {
    /// Members, each once.
    public var agents: [AgentID]
    /// Teams, each once.
    public var teams: [TeamID]
    /// The roles whose members conversations can be given to, as the table of permissions has them.
    public let permitted: Set<Role>

    /// Puts them together; without roles no member can be named.
    public init(
        _ agents: [AgentID] = [], teams: [TeamID] = [], permitted: Set<Role> = []
    ) {
        self.agents = agents
        self.teams = teams
        self.permitted = permitted
    }
}

/// Bounds of mentions.
public enum MentionBounds {
    /// People that one note mentions at most, those of its teams included.
    public static let withTeams = 220
    /// Teams that one note mentions at most.
    public static let teamsPerNote = 5
    /// People that one note names at most.
    public static let perNote = 20
    /// Conversations with unseen mentions of one agent that are counted.
    public static let maximumUnseen = 1_000
}
