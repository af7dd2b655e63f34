/// What an event changed of its conversation: before and after.
public enum StepChange: Hashable, Sendable {
    /// The assignment, and what made it.
    case assignee(from: AgentID?, to: AgentID?, by: AssignmentCause)
    /// The priority.
    case priority(from: Priority, to: Priority)
    /// The team; independent of the assignment.
    case team(from: TeamID?, to: TeamID?)
    /// The participants who were added and removed by hand.
    case participants(added: [AgentID], removed: [AgentID])
    /// The agents who follow it from here on, and no longer.
    case watchers(added: [AgentID], removed: [AgentID])
    /// The values of attributes.
    case attributes([AttributeStep])
    /// The labels that were added and removed.
    case labels(added: [LabelID], removed: [LabelID])
    /// That the customer was asked how satisfied they are, or said it.
    case satisfaction(Satisfaction.Step)
    /// Nothing: an answer is overdue. Which one, and when it was due.
    case overdue(AnswerDue.Kind, due: Timestamp)
    /// That the customer waits no longer, because the conversation was closed; of one that is open again,
    /// that its closing was undone and the customer waits as before.
    case waiting(EndedWaiting)
}

/// The waiting of a customer that a closing ended; to undo the closing brings it back.
public struct EndedWaiting: Hashable, Sendable {
    /// Since when the customer waited.
    public let since: Timestamp
    /// Which answer was awaited and when it was due; nil where the business promised nothing.
    public let answer: AnswerDue?
    /// The newest message then: an answer after it has ended the waiting.
    public let newest: SequenceNumber

    /// Puts it together.
    public init(since: Timestamp, answer: AnswerDue?, newest: SequenceNumber) {
        self.since = since
        self.answer = answer
        self.newest = newest
    }
}

/// What made an assignment, or ended one.
public enum AssignmentCause: String, Hashable, Sendable, CaseIterable {
    /// An agent, or an integration, said so.
    case hand
    /// An answer.
    case reply
    /// The server: the agent was next.
    case roundRobin = "round_robin"
    /// The server: the agent had the fewest open conversations.
    case leastBusy = "least_busy"
    /// The server: the agent had answered last.
    case sticky
    /// The server: the agent did not answer in time.
    case givenBack = "given_back"

    /// The word where the server did it by itself; nil where a person did.
    public var automatic: String? {
        switch self {
        case .hand, .reply: nil
        case .roundRobin, .leastBusy, .sticky, .givenBack: rawValue
        }
    }
}
