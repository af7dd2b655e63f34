import DeskModel
import Testing

/// Buckets of tokens.
@Suite struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test func `the burst is allowed at once, then one a second`() {
        var limiter = RateLimiter<String>(.customer)
        for turn in 0..<10 {
            let verdict = limiter.take(by: "a", at: start)
            #expect(verdict.isAllowed)
            #expect(verdict.remaining == 9 - turn)
        }
        let refused = limiter.take(by: "a", at: start)
        #expect(!refused.isAllowed)
        #expect(refused.retryAfter == .seconds(1))
        #expect(refused.fullAfter == .seconds(10))
        #expect(limiter.take(by: "b", at: start).isAllowed)
        #expect(limiter.take(by: "a", at: start.advanced(by: .seconds(1))).isAllowed)
        #expect(!limiter.take(by: "a", at: start.advanced(by: .seconds(1))).isAllowed)
    }

    @Test func `waiting never fills a bucket beyond its burst`() {
        var limiter = RateLimiter<Int>(Rate(perSecond: 5, burst: 2))
        let later = start.advanced(by: .seconds(1_000_000))
        _ = limiter.take(by: 1, at: start)
        #expect(limiter.take(by: 1, at: later).remaining == 1)
    }

    @Test func `more than the burst at once needs a full bucket and is paid back`() {
        var limiter = RateLimiter<Int>(Rate(perSecond: 5, burst: 50))
        func after(_ seconds: Int) -> ContinuousClock.Instant {
            start.advanced(by: .seconds(seconds))
        }
        #expect(limiter.take(100, by: 1, at: start).isAllowed)
        #expect(limiter.take(0, by: 1, at: start).isAllowed)
        #expect(limiter.take(0, by: 1, at: start).remaining == 0)
        #expect(!limiter.take(by: 1, at: after(10)).isAllowed)
        #expect(limiter.take(by: 1, at: after(11)).isAllowed)
        let refused = limiter.take(100, by: 1, at: after(11))
        #expect(!refused.isAllowed)
        #expect(refused.retryAfter == .seconds(9.2))
        #expect(limiter.take(100, by: 1, at: after(21)).isAllowed)
    }

    @Test func `a clock that stops or goes back gives nothing`() {
        var limiter = RateLimiter<Int>(Rate(perSecond: 1, burst: 1))
        #expect(limiter.take(by: 1, at: start).isAllowed)
        #expect(!limiter.take(by: 1, at: start.advanced(by: .seconds(-60))).isAllowed)
        #expect(!limiter.take(by: 1, at: start).isAllowed)
    }

    @Test func `a flood of callers is refused, and forgotten once it has ended`() {
        var limiter = RateLimiter<Int>(Rate(perSecond: 1, burst: 1), maximumCallers: 3)
        for caller in 0..<3 { #expect(limiter.take(by: caller, at: start).isAllowed) }
        #expect(!limiter.take(by: 3, at: start).isAllowed)
        #expect(limiter.take(by: 3, at: start.advanced(by: .seconds(2))).isAllowed)
    }
}
