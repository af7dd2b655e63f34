import Synchronization

/// Counts for one process: no other debits anything.
public struct LocalCounters: CounterSource {
    /// Counters of this process alone.
    public init() {}

    /// A rate of this process.
    public func rate(_ name: String, _ rate: Rate, maximumSubjects: Int) -> any RateCounter {
        LocalRate(rate, maximumSubjects: maximumSubjects)
    }

    /// Sums of this process.
    public func reservations(_ name: String) -> any ReservationCounter { LocalReservations() }

    /// Failures of this process.
    public func failures(
        _ name: String, _ waits: FailureWaits, maximumSubjects: Int
    ) -> any FailureCounter {
        LocalFailures(waits, maximumSubjects: maximumSubjects)
    }
}

private final class LocalRate: RateCounter {
    let rate: Rate
    private let limiter: Mutex<RateLimiter<CounterSubject>>

    init(_ rate: Rate, maximumSubjects: Int) {
        self.rate = rate
        limiter = Mutex(RateLimiter(rate, maximumCallers: maximumSubjects))
    }

    func take(
        _ tokens: Double, by subject: CounterSubject, at now: ContinuousClock.Instant
    ) -> RateVerdict {
        limiter.withLock { $0.take(tokens, by: subject, at: now) }
    }

    func giveBack(_ tokens: Double, to subject: CounterSubject, at now: ContinuousClock.Instant) {
        limiter.withLock { $0.giveBack(tokens, to: subject, at: now) }
    }

    func debit(_ tokens: Double, of subject: CounterSubject, at now: ContinuousClock.Instant) {
        limiter.withLock { $0.debit(tokens, of: subject, at: now) }
    }
}

private final class LocalReservations: ReservationCounter {
    private let reserved = Mutex<[CounterSubject: Int64]>([:])

    func reserve(_ amount: Int64, for subject: CounterSubject) -> Int64 {
        reserved.withLock { reserved in
            let sum = (reserved[subject] ?? 0) + amount
            reserved[subject] = sum > 0 ? sum : nil
            return sum
        }
    }

    func release(_ amount: Int64, for subject: CounterSubject) {
        reserved.withLock { reserved in
            let left = (reserved[subject] ?? 0) - amount
            reserved[subject] = left > 0 ? left : nil
        }
    }
}

private final class LocalFailures: FailureCounter {
    private struct Failures {
        var count = 0
        var until: ContinuousClock.Instant
    }

    private let waits: FailureWaits
    private let maximumSubjects: Int
    private let failures = Mutex<[CounterSubject: Failures]>([:])

    init(_ waits: FailureWaits, maximumSubjects: Int) {
        self.waits = waits
        self.maximumSubjects = maximumSubjects
    }

    func wait(of subject: CounterSubject, at now: ContinuousClock.Instant) -> Duration {
        guard let until = failures.withLock({ $0[subject]?.until }) else { return .zero }
        return max(.zero, now.duration(to: until))
    }

    func note(_ count: Int, of subject: CounterSubject, at now: ContinuousClock.Instant) {
        failures.withLock { failures in
            if failures[subject] == nil, failures.count >= maximumSubjects {
                failures = failures.filter { $0.value.until > now }
                if failures.count >= maximumSubjects { failures.removeAll() }
            }
            let recent = failures[subject].flatMap { $0.until + waits.memory > now ? $0 : nil }
            var known = recent ?? Failures(until: now)
            known.count += count
            let wait = waits.wait(after: known.count)
            if wait > .zero { known.until = now + wait }
            failures[subject] = known
        }
    }

    func clear(_ subject: CounterSubject) { failures.withLock { $0[subject] = nil } }
}
