public import DeskModel
import DeskStore

/// Which revision a conversation must have for a write to go on; looked at within the commit.
public enum RevisionCondition: Hashable, Sendable {
    /// Whatever it has.
    case always
    /// One of these.
    case anyOf([Revision])

    /// What a group begins with.
    func steps(for conversation: ConversationID) -> [Write] {
        switch self {
        case .always: []
        case .anyOf(let revisions): [.require(RequireRevision(of: conversation, in: revisions))]
        }
    }
}
