public import DeskModel

/// How businesses assign by themselves; chosen through the log.
public protocol AssignmentRegistry: Sendable {
    /// Lists the rules of a business, its own first, and of the teams that have one.
    ///
    /// Limit: one of the business and one of each team.
    func assignment(of business: BusinessID) async throws(StoreError) -> [StoredAssignment]
}

/// Chooses how a business or one of its teams assigns by itself, or with nil that a team does as its
/// business.
///
/// Refused as `notFound` without the business or the team, also for a retired team, and as `unusable`
/// where an agent with a capacity has none of the
/// permitted roles.
public struct SaveAssignment: WriteStep {
    let business: BusinessID
    let team: TeamID?
    let stored: StoredAssignment?
    let event: [UInt8]
    let permitted: Set<Role>
    let author: Author
    let time: Timestamp

    /// Says who chooses what.
    ///
    /// - Parameters:
    ///   - event: what the event says, a JSON object's text.
    ///   - permitted: the roles whose members can have a capacity, as the table of permissions has them.
    public init(
        of business: BusinessID, for team: TeamID?, _ stored: StoredAssignment?, event: [UInt8],
        permitted: Set<Role> = [], by author: Author, at time: Timestamp
    ) {
        self.permitted = permitted
        self.business = business
        self.team = team
        self.stored = stored
        self.event = event
        self.author = author
        self.time = time
    }

    /// Replaces what there was.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}

/// What came of an attempt to assign a conversation.
public enum AssignmentOutcome: Hashable, Sendable {
    /// The agent has it now.
    case assigned(AgentID)
    /// It needs none: it is assigned, closed or answered, or its team assigns nothing.
    case notDue
    /// None who could have it has room for one more.
    case full
    /// Only the agent who had it last has room.
    case reserved
}

/// Assigns a conversation that has no assignee to the next agent; refused as `notFound` without it.
///
/// Everything is looked at in the commit: rule, members, teams, open conversations of each, whose turn it
/// is. So of two who assign at the same moment one does, and the last free place of an agent is given once.
public struct AssignAutomatically: WriteStep {
    let conversation: ConversationID
    let online: [AgentID]
    let permitted: Set<Role>
    let time: Timestamp

    /// Names the candidates.
    ///
    /// - Parameters:
    ///   - online: who is there; of equals the first is chosen.
    ///   - permitted: the roles that may handle conversations, as the table of permissions has them.
    public init(
        _ conversation: ConversationID, to online: [AgentID], permitted: Set<Role>,
        at time: Timestamp
    ) {
        self.conversation = conversation
        self.online = online
        self.permitted = permitted
        self.time = time
    }

    /// Answers with what came of it.
    public func decide(
        by decision: inout GroupDecision
    ) throws(Undecided) -> AssignmentOutcome {
        try decision.assign(self)
    }
}

/// Returns a conversation that its agent did not answer in time.
///
/// Refused as `preconditionFailed` where the agent answered, or has it no longer.
public struct GiveBack: WriteStep {
    let conversation: ConversationID
    let agent: AgentID
    let since: Timestamp
    let time: Timestamp

    /// Says whose it was, and since when its customer waits.
    public init(
        _ conversation: ConversationID, of agent: AgentID, waitingSince since: Timestamp,
        at time: Timestamp
    ) {
        self.conversation = conversation
        self.agent = agent
        self.since = since
        self.time = time
    }

    /// Returns it.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.giveBack(self)
    }
}

/// What the members of a business have to do.
package struct Workload: Sendable {
    /// The members and their roles.
    package var roles: [AgentID: Role]
    /// Their open conversations.
    package var open: [AgentID: Int]
    /// The position of the event by which each was given one by itself last.
    package var turns: [AgentID: Int64]

    /// Puts the three together.
    package init(roles: [AgentID: Role], open: [AgentID: Int], turns: [AgentID: Int64]) {
        self.roles = roles
        self.open = open
        self.turns = turns
    }
}

/// Who looked after a conversation before.
package struct EarlierCare: Sendable {
    /// The agent who wrote to the customer last, among the newest messages.
    package var answeredBy: AgentID?
    /// The newest event of its assignment, if it ended an agent's.
    package var taken: Taken?

    /// An assignment that ended.
    package struct Taken: Sendable {
        /// Whose it was.
        package let agent: AgentID
        /// What ended it.
        package let cause: AssignmentCause
        /// When.
        package let time: Timestamp

        /// Puts the three together.
        package init(from agent: AgentID, by cause: AssignmentCause, at time: Timestamp) {
            self.agent = agent
            self.cause = cause
            self.time = time
        }
    }

    /// Messages that are looked through for an answer.
    package static let messages: Int64 = 300

    /// No agent did.
    package init(answeredBy: AgentID? = nil, taken: Taken? = nil) {
        self.answeredBy = answeredBy
        self.taken = taken
    }
}
