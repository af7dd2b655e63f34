public import DeskModel

/// Budgets of the links' other ends, one for each link and all of one rate.
public struct LinkRateLimiter: Sendable {
    private let counter: any RateCounter

    /// Gives every link the same rate, under a name that all processes use.
    public init(_ rate: Rate, named name: String, from counters: any CounterSource) {
        counter = counters.rate("links \(name)", rate)
    }

    /// Counts one request against a link's budget.
    func take(from link: GatewayLinkID, at now: ContinuousClock.Instant) -> RateVerdict {
        counter.take(1, by: CounterSubject(sort: 1, link.value), at: now)
    }
}
