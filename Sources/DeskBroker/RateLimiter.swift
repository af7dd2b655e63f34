/// A rate with a burst, as a bucket of tokens that refills.
public struct Rate: Hashable, Sendable {
    /// Tokens added in a second.
    public let perSecond: Double
    /// Tokens that the bucket holds.
    public let burst: Double

    /// Puts a rate together.
    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// A customer's messages.
    public static let customer = Rate(perSecond: 1, burst: 10)
    /// An agent's writes.
    public static let agent = Rate(perSecond: 5, burst: 50)
    /// An integration's calls.
    public static let key = Rate(perSecond: 50, burst: 200)
}

/// Counts what each of many callers did lately; a value to be put behind a lock.
public struct RateLimiter<Caller: Hashable & Sendable>: Sendable {
    /// What a caller is told.
    public struct Verdict: Hashable, Sendable {
        /// Whether the caller may go on.
        public let isAllowed: Bool
        /// Tokens left; none while an overdraft is paid back.
        public let remaining: Int
        /// After this long what was asked for would be allowed; zero when it would be already.
        public let retryAfter: Duration
        /// After this long the bucket is full.
        public let fullAfter: Duration
    }

    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    /// The rate that holds for each caller.
    public let rate: Rate
    /// Most callers remembered; when more come, those whose buckets are full are forgotten.
    public let maximumCallers: Int
    private var buckets: [Caller: Bucket] = [:]
    private var sweptAt: ContinuousClock.Instant?

    /// Starts with every bucket full.
    public init(_ rate: Rate, maximumCallers: Int = 100_000) {
        self.rate = rate
        self.maximumCallers = maximumCallers
    }

    /// Takes tokens for one caller at a moment of the monotonic clock.
    ///
    /// More than the burst at once is allowed when the bucket is full; it then owes the rest, so
    /// that the rate holds over time and no amount is refused for ever.
    public mutating func take(
        _ tokens: Double = 1, by caller: Caller, at now: ContinuousClock.Instant
    ) -> Verdict {
        var bucket = buckets[caller] ?? Bucket(tokens: rate.burst, filled: now)
        refill(&bucket, at: now)
        let needed = min(tokens, rate.burst)
        // Asking for nothing only looks.
        let isAllowed = tokens <= 0 || bucket.tokens >= needed
        if isAllowed { bucket.tokens -= tokens }
        if buckets[caller] == nil, buckets.count >= maximumCallers { forgetFull(at: now) }
        // Beyond the limit nobody new is remembered: refused, so that a flood buys nothing.
        guard buckets[caller] != nil || buckets.count < maximumCallers else {
            return Verdict(
                isAllowed: false, remaining: 0, retryAfter: .seconds(1), fullAfter: .seconds(1))
        }
        buckets[caller] = bucket
        return Verdict(
            isAllowed: isAllowed, remaining: max(0, Int(bucket.tokens)),
            retryAfter: .seconds(max(0, needed - bucket.tokens) / rate.perSecond),
            fullAfter: .seconds((rate.burst - bucket.tokens) / rate.perSecond))
    }

    private func refill(_ bucket: inout Bucket, at now: ContinuousClock.Instant) {
        guard now > bucket.filled else { return }
        let passed = bucket.filled.duration(to: now) / .seconds(1)
        bucket.tokens = min(rate.burst, bucket.tokens + passed * rate.perSecond)
        bucket.filled = now
    }

    private mutating func forgetFull(at now: ContinuousClock.Instant) {
        // Once a second at most: a flood of new callers must not buy a sweep each.
        if let sweptAt, sweptAt.duration(to: now) < .seconds(1) { return }
        sweptAt = now
        buckets = buckets.filter { _, bucket in
            var bucket = bucket
            refill(&bucket, at: now)
            return bucket.tokens < rate.burst
        }
    }
}
