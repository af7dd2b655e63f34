public import DeskModel

/// How many conversations each list has.
public struct ConversationCounts: Hashable, Sendable {
    /// Looked after by the asking agent.
    public var mine = 0
    /// Assigned to no agent, and with no bot that has control.
    public var unassigned = 0
    /// All of them.
    public var all = 0

    /// Counts of nothing.
    public init() {}
}

/// How many there are of something that is counted up to a number.
public struct BoundedCount: Hashable, Sendable {
    /// How many were counted.
    public let count: Int
    /// Whether there are more.
    public let isMore: Bool

    /// Cuts a count off at a number.
    public init(_ count: Int, atMost most: Int) {
        self.init(count: min(count, most), isMore: count > most)
    }

    private init(count: Int, isMore: Bool) {
        self.count = count
        self.isMore = isMore
    }

    /// The same count, of something that was not looked through to its end.
    public var andMore: BoundedCount { BoundedCount(count: count, isMore: true) }
}

/// The open conversations of a list whose customers wait for an answer.
public struct WaitingConversations: Hashable, Sendable {
    /// How many there are.
    public var count = 0
    /// The one that has waited longest; nil when there is none.
    public var longest: ConversationID?
    /// Since when that one waits.
    public var since: Timestamp?

    /// None.
    public init() {}
}

/// A place in a list of those who wait: its order is the time, then the id.
public struct WaitingPlace: Hashable, Sendable {
    /// Since when the customer waits.
    public let since: Timestamp
    /// In which conversation.
    public let conversation: ConversationID

    /// Names a place.
    public init(since: Timestamp, conversation: ConversationID) {
        self.since = since
        self.conversation = conversation
    }

    /// The place of a conversation in a list by due answers; nil where none is due.
    public init?(due conversation: Conversation) {
        guard let at = conversation.answerDue?.at else { return nil }
        self.init(since: at, conversation: conversation.id)
    }

    /// The place of a conversation; nil where the customer does not wait.
    public init?(_ conversation: Conversation) {
        guard let since = conversation.waitingSince else { return nil }
        self.init(since: since, conversation: conversation.id)
    }
}

/// How many conversations each view of some businesses has.
public struct ViewCounts: Hashable, Sendable {
    /// All conversations, by their state.
    public var states: [ConversationState: Int] = [:]
    /// The open ones that are assigned to no agent, and have no bot.
    public var unassigned = 0
    /// The open ones of which a bot has control.
    public var withBot = 0
    /// The open ones, by the agent they are assigned to.
    public var assignees: [AgentID: Int] = [:]
    /// The open ones, by their teams.
    public var teams: [TeamID: Int] = [:]
    /// The open ones, by their labels.
    public var labels: [LabelID: Int] = [:]
    /// The open ones whose customers wait.
    public var waiting = WaitingConversations()

    /// Counts of nothing.
    public init() {}
}
