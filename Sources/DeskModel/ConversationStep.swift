/// What a conversation's event fixed about it.
public struct ConversationStep: Hashable, Sendable {
    /// Who did it.
    public let author: Author
    /// The state after it.
    public let state: ConversationState
    /// The assignee after it.
    public let assignee: AgentID?
    /// The wake-up time after it.
    public let snoozedUntil: Timestamp?
    /// What it was before, where the state does not say it; nil also for events from before it was
    /// kept.
    public let change: StepChange?
    /// Whether an import did it: nothing reacts to it.
    public let isImported: Bool

    /// Puts a step together.
    public init(
        author: Author, state: ConversationState, assignee: AgentID?, snoozedUntil: Timestamp?,
        change: StepChange? = nil, isImported: Bool = false
    ) {
        self.author = author
        self.state = state
        self.assignee = assignee
        self.snoozedUntil = snoozedUntil
        self.change = change
        self.isImported = isImported
    }
}
