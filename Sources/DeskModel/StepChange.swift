/// What an event changed of its conversation: before and after.
public enum StepChange: Hashable, Sendable {
    /// The assignment; `byReply` where an answer made it.
    case assignee(from: AgentID?, to: AgentID?, byReply: Bool)
    /// The priority.
    case priority(from: Priority, to: Priority)
    /// The team; independent of the assignment.
    case team(from: TeamID?, to: TeamID?)
    /// The values of attributes.
    case attributes([AttributeStep])
    /// The labels that were added and removed.
    case labels(added: [LabelID], removed: [LabelID])
}
