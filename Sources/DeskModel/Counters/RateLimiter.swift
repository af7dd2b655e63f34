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

/// Whether a budget held what was asked of it, and what is left.
public struct RateVerdict: Hashable, Sendable {
    /// Whether the caller may go on.
    public let isAllowed: Bool
    /// Tokens left; none while an overdraft is paid back.
    public let remaining: Int
    /// After this long what was asked for would be allowed; zero when it would be already.
    public let retryAfter: Duration
    @usableFromInline let secondsToFull: Double

    /// After this long the bucket is full.
    public var fullAfter: Duration { .seconds(secondsToFull) }

    @inlinable init(
        isAllowed: Bool, remaining: Int, retryAfter: Duration, secondsToFull: Double
    ) {
        self.isAllowed = isAllowed
        self.remaining = remaining
        self.retryAfter = retryAfter
        self.secondsToFull = secondsToFull
    }
}

/// Counts what each of many callers did lately; a value to be put behind a lock.
///
/// Inlinable, so that it is compiled for its kind of caller: every write asks it.
public struct RateLimiter<Caller: Hashable & Sendable>: Sendable {
    @usableFromInline struct Bucket: Sendable {
        @usableFromInline var tokens: Double
        @usableFromInline var filled: ContinuousClock.Instant

        @inlinable init(tokens: Double, filled: ContinuousClock.Instant) {
            self.tokens = tokens
            self.filled = filled
        }
    }

    /// The rate that holds for each caller.
    public let rate: Rate
    /// Most callers remembered; when more come, those whose buckets are full are forgotten.
    public let maximumCallers: Int
    @usableFromInline var buckets: [Caller: Bucket] = [:]
    @usableFromInline var sweptAt: ContinuousClock.Instant?

    /// Starts with every bucket full.
    public init(_ rate: Rate, maximumCallers: Int = 100_000) {
        self.rate = rate
        self.maximumCallers = maximumCallers
    }

    /// Removes tokens from a caller's bucket at a moment of the monotonic clock.
    ///
    /// More than the burst at once is allowed when the bucket is full; it then owes the rest, so
    /// that the rate holds over time and no amount is refused for ever.
    @inlinable
    public mutating func take(
        _ tokens: Double = 1, by caller: Caller, at now: ContinuousClock.Instant
    ) -> RateVerdict {
        let known = buckets[caller]
        var bucket = known ?? Bucket(tokens: rate.burst, filled: now)
        refill(&bucket, at: now)
        let needed = min(tokens, rate.burst)
        // Asking for nothing only looks.
        let isAllowed = tokens <= 0 || bucket.tokens >= needed
        if isAllowed { bucket.tokens -= tokens }
        if known == nil, buckets.count >= maximumCallers {
            forgetFull(at: now)
            // Beyond the limit no new caller is remembered: it is refused, so that a flood gains
            // nothing.
            guard buckets.count < maximumCallers else {
                return RateVerdict(
                    isAllowed: false, remaining: 0, retryAfter: .seconds(1), secondsToFull: 1)
            }
        }
        buckets[caller] = bucket
        let missing = needed - bucket.tokens
        return RateVerdict(
            isAllowed: isAllowed, remaining: max(0, Int(bucket.tokens)),
            retryAfter: missing > 0 ? .seconds(missing / rate.perSecond) : .zero,
            secondsToFull: (rate.burst - bucket.tokens) / rate.perSecond)
    }

    /// Returns tokens that were removed for a request that did not count; never beyond the burst.
    public mutating func giveBack(
        _ tokens: Double = 1, to caller: Caller, at now: ContinuousClock.Instant
    ) {
        guard var bucket = buckets[caller] else { return }
        refill(&bucket, at: now)
        bucket.tokens = min(rate.burst, bucket.tokens + tokens)
        buckets[caller] = bucket
    }

    /// Debits what another process allowed; the bucket may owe up to a burst afterwards.
    public mutating func debit(
        _ tokens: Double, of caller: Caller, at now: ContinuousClock.Instant
    ) {
        let known = buckets[caller]
        guard known != nil || buckets.count < maximumCallers else { return }
        var bucket = known ?? Bucket(tokens: rate.burst, filled: now)
        refill(&bucket, at: now)
        // What it owes by what was allowed here stays owed.
        bucket.tokens = min(bucket.tokens, max(bucket.tokens - tokens, -rate.burst))
        if tokens < 0 { bucket.tokens = min(rate.burst, bucket.tokens - tokens) }
        buckets[caller] = bucket
    }

    @inlinable
    func refill(_ bucket: inout Bucket, at now: ContinuousClock.Instant) {
        guard now > bucket.filled else { return }
        let (seconds, attoseconds) = bucket.filled.duration(to: now).components
        let passed = Double(seconds) + Double(attoseconds) * 1e-18
        bucket.tokens = min(rate.burst, bucket.tokens + passed * rate.perSecond)
        bucket.filled = now
    }

    @usableFromInline
    mutating func forgetFull(at now: ContinuousClock.Instant) {
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

extension Duration {
    /// Whole seconds, at least one, that are not less than this: what `Retry-After` says.
    public var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: attoseconds > 0 ? seconds + 1 : seconds))
    }
}
