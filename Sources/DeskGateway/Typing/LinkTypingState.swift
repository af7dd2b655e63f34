import DeskModel
import Synchronization

/// Which conversations a link's other end was told of that somebody writes there.
final class LinkTypingState: Sendable {
    private struct Spot: Hashable {
        let link: GatewayLinkID
        let conversation: ConversationID
    }

    /// Most conversations in which somebody writes; one more is not told.
    static let most = 10_000
    /// Whoever gives no sign for this long does not write any more, and is told anew.
    static let silence = Duration.seconds(60)

    private let spots = Mutex<[Spot: ContinuousClock.Instant]>([:])

    /// Notes that somebody writes; false when that is known, or when there is no more room.
    func begin(
        _ conversation: ConversationID, over link: GatewayLinkID, at now: ContinuousClock.Instant
    ) -> Bool {
        let spot = Spot(link: link, conversation: conversation)
        return spots.withLock { spots in
            if let last = spots[spot], last.duration(to: now) < Self.silence {
                spots[spot] = now
                return false
            }
            if spots.count >= Self.most {
                spots = spots.filter { $0.value.duration(to: now) < Self.silence }
            }
            guard spots.count < Self.most else { return false }
            spots[spot] = now
            return true
        }
    }

    /// Notes that nobody writes any more; false when that is known.
    func end(_ conversation: ConversationID, over link: GatewayLinkID) -> Bool {
        spots.withLock { spots in
            spots.removeValue(forKey: Spot(link: link, conversation: conversation)) != nil
        }
    }
}
