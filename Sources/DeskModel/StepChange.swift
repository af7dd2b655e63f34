/// What an event changed of its conversation: before and after.
public enum StepChange: Hashable, Sendable {
    /// The assignment; `byReply` where an answer made it.
    case assignee(from: AgentID?, to: AgentID?, byReply: Bool)
    /// The priority.
    case priority(from: Priority, to: Priority)
    /// The labels that were added and removed.
    case labels(added: [LabelID], removed: [LabelID])
}
