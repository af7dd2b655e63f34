public import DeskBroker
import DeskModel
import Synchronization

/// Budgets of the links' other ends, one for each link and all of one rate.
public final class LinkRateLimiter: Sendable {
    private let limiter: Mutex<RateLimiter<GatewayLinkID>>

    /// Gives every link the same rate.
    public init(_ rate: Rate) { limiter = Mutex(RateLimiter<GatewayLinkID>(rate)) }

    /// Counts one request against a link's budget.
    func take(
        from link: GatewayLinkID, at now: ContinuousClock.Instant
    ) -> RateLimiter<GatewayLinkID>.Verdict {
        limiter.withLock { $0.take(by: link, at: now) }
    }
}
