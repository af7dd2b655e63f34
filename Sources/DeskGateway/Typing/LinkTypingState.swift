import DeskModel
import Synchronization

/// The conversations in which a link's other system was sent that a person types.
final class LinkTypingState: Sendable {
    private struct Spot: Hashable {
        let link: GatewayLinkID
        let conversation: ConversationID
    }

    /// Most conversations with typing at once; one more is not signalled.
    static let most = 10_000
    /// After this long without a new sign typing has ended, and the next sign is signalled again.
    static let silence = Duration.seconds(60)

    private let spots = Mutex<[Spot: ContinuousClock.Instant]>([:])

    /// Notes that typing began; false when that is known, or when there is no more room.
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

    /// Notes that typing ended; false when that is known.
    func end(_ conversation: ConversationID, over link: GatewayLinkID) -> Bool {
        spots.withLock { spots in
            spots.removeValue(forKey: Spot(link: link, conversation: conversation)) != nil
        }
    }
}
