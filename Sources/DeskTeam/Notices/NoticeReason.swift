/// What an agent can be notified of.
package enum NoticeReason: String, Hashable, Sendable, CaseIterable {
    /// A conversation was assigned to the agent by another one, or by the server.
    case assigned
    /// A message in a conversation of the agent's.
    case mine
    /// A customer begins to wait who has no assignee.
    case unassigned
    /// A note that mentions the agent.
    case mention
    /// A conversation that concerns the agent was assigned to another one, or to none.
    case handed
    /// One was given to a team.
    case moved
    /// One was closed.
    case closed
    /// One is open again.
    case reopened
    /// The customer of one was given another name.
    case renamed
    /// Participants of one were added or removed.
    case participants

    /// Whether an agent who chose nothing is notified of it.
    package var isUsual: Bool { self != .closed && self != .renamed }
}
