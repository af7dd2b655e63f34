import DeskBroker
import DeskModel
import Synchronization

/// Bounds what those whose token is wrong may write into a link's wire log, so that a stranger who knows
/// an MSP id cannot wash the rest of it away: 60 exchanges at once, one a second.
final class StrangerPace: Sendable {
    static let rate = Rate(perSecond: 1, burst: 60)

    private let limiter = Mutex(RateLimiter<GatewayLinkID>(rate))

    /// Whether one more exchange of a stranger's is kept.
    func allows(_ link: GatewayLinkID, at now: ContinuousClock.Instant) -> Bool {
        limiter.withLock { $0.take(by: link, at: now).isAllowed }
    }
}
