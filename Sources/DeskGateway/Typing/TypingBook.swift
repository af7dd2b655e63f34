import DeskModel
import Synchronization

/// Which conversations a link's other end was told of that somebody writes there.
final class TypingBook: Sendable {
    private struct Spot: Hashable {
        let link: GatewayLinkID
        let conversation: ConversationID
    }

    /// Most conversations in which somebody writes; one more is not told.
    private static let most = 10_000

    private let spots = Mutex<Set<Spot>>([])

    /// Notes that somebody writes; false when that is known, or when there is no more room.
    func begin(_ conversation: ConversationID, over link: GatewayLinkID) -> Bool {
        spots.withLock { spots in
            guard spots.count < Self.most else { return false }
            return spots.insert(Spot(link: link, conversation: conversation)).inserted
        }
    }

    /// Notes that nobody writes any more; false when that is known.
    func end(_ conversation: ConversationID, over link: GatewayLinkID) -> Bool {
        spots.withLock { spots in
            spots.remove(Spot(link: link, conversation: conversation)) != nil
        }
    }
}
