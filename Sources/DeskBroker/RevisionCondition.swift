public import DeskModel
import DeskStore

/// Which revision a conversation must have for a write to go on; looked at within the commit.
public enum RevisionCondition: Hashable, Sendable {
    /// Whatever it has.
    case always
    /// One of these.
    case anyOf([Revision])

    /// The one that a revision alone meets, where this one is met by it; else one that nothing meets.
    public func narrowed(to revision: Revision) -> RevisionCondition {
        switch self {
        case .always: .anyOf([revision])
        case .anyOf(let revisions): .anyOf(revisions.filter { $0 == revision })
        }
    }

    /// What a group begins with.
    func steps(for conversation: ConversationID) -> [Write] {
        switch self {
        case .always: []
        case .anyOf(let revisions): [.require(RequireRevision(of: conversation, in: revisions))]
        }
    }
}
