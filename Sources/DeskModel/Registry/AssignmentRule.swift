/// How the conversations of a business, or of one of its teams, are given to agents by themselves.
public struct AssignmentRule: Hashable, Sendable {
    /// Most open conversations of an agent that can be chosen.
    public static let highestCapacity = 1_000
    /// Longest wait for the assigned agent's answer in minutes that can be chosen.
    public static let longestGiveBack = 1_440

    /// Who is next.
    public enum Strategy: String, Hashable, Sendable, CaseIterable {
        /// None: agents assign conversations to themselves.
        case off
        /// Who was given none for the longest.
        case roundRobin = "round_robin"
        /// Who has the fewest open conversations.
        case leastBusy = "least_busy"
    }

    /// Who is next.
    public var strategy: Strategy
    /// Whether the agent who answered last comes before all others.
    public var isSticky: Bool
    /// Open conversations with which an agent is given no more, where the agent has no number of their own.
    public var capacity: Int
    /// Minutes within hours after which a conversation that its agent did not answer goes back; nil for
    /// never.
    public var giveBackMinutes: Int?

    /// What holds until something is chosen: nothing is assigned by itself.
    public init(
        _ strategy: Strategy = .off, isSticky: Bool = false, capacity: Int = 10,
        giveBackMinutes: Int? = nil
    ) {
        self.strategy = strategy
        self.isSticky = isSticky
        self.capacity = capacity
        self.giveBackMinutes = giveBackMinutes
    }
}

/// A rule as it is stored: of a business, or of a team that has its own.
public struct StoredAssignment: Hashable, Sendable {
    /// Whose it is.
    public let business: BusinessID
    /// The team that it is for; nil for the business itself.
    public let team: TeamID?
    /// What was chosen.
    public let rule: AssignmentRule
    /// The members with a capacity of their own; of a team none, for an agent has one number.
    public let capacities: [AgentID: Int]

    /// Puts the four together.
    public init(
        of business: BusinessID, for team: TeamID? = nil, _ rule: AssignmentRule,
        capacities: [AgentID: Int] = [:]
    ) {
        self.business = business
        self.team = team
        self.rule = rule
        self.capacities = capacities
    }
}

/// All that a business chose of assigning by itself.
public struct AssignmentSettings: Hashable, Sendable {
    /// The rule of conversations without a team, and of teams without a rule of their own.
    public var rule: AssignmentRule
    /// The rules of teams.
    public var teams: [TeamID: AssignmentRule]
    /// The members with a capacity of their own.
    public var capacities: [AgentID: Int]

    /// What was stored of a business.
    public init(_ stored: [StoredAssignment] = []) {
        rule = AssignmentRule()
        teams = [:]
        capacities = [:]
        for one in stored {
            if let team = one.team {
                teams[team] = one.rule
            } else {
                rule = one.rule
                capacities = one.capacities
            }
        }
    }

    /// The rule of a team's conversations, or with nil of those without one.
    public func rule(of team: TeamID?) -> AssignmentRule {
        team.flatMap { teams[$0] } ?? rule
    }

    /// Open conversations with which an agent is given no more by a rule.
    public func capacity(of agent: AgentID, by rule: AssignmentRule) -> Int {
        capacities[agent] ?? rule.capacity
    }

    /// Whether anything is assigned by itself.
    public var isOn: Bool {
        rule.strategy != .off || teams.values.contains { $0.strategy != .off }
    }
}
