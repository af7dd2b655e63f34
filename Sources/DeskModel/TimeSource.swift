import Glibc
import Synchronization

/// Where the time comes from, so that tests can bring their own.
public struct TimeSource: Sendable {
    /// The wall clock: shown, signed, compared with stated leeway.
    public let now: @Sendable () -> Timestamp
    /// The wall clock as far as it ever got, and never back: what ends at a time is compared with it.
    ///
    /// A credential that has ended once stays so when the machine's clock is set back.
    public let latest: @Sendable () -> Timestamp
    /// Says how far the wall clock got in an earlier run; `latest` is never before that.
    public let raise: @Sendable (Timestamp) -> Void
    /// The monotonic clock: rates and deadlines count it.
    public let instant: @Sendable () -> ContinuousClock.Instant
    /// Waits; ends early when cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// Puts a source together.
    public init(
        now: @escaping @Sendable () -> Timestamp,
        instant: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        let clock = ForwardClock(now: now, instant: instant)
        latest = { clock.read() }
        raise = { clock.raise(to: $0) }
        self.instant = instant
        self.sleep = sleep
    }

    /// The machine's clocks.
    public static let system = TimeSource(
        now: {
            var now = timespec()
            // Safe: clock_gettime fills the struct that is lent for the call.
            unsafe clock_gettime(CLOCK_REALTIME, &now)
            return Timestamp(
                milliseconds: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000)
        },
        instant: { ContinuousClock.now },
        sleep: { try await Task.sleep(for: $0) })
}

/// A wall clock that continues with the monotonic one when it is set back.
private final class ForwardClock: Sendable {
    private let now: @Sendable () -> Timestamp
    private let instant: @Sendable () -> ContinuousClock.Instant
    private let begin: ContinuousClock.Instant
    /// What the wall clock showed at `begin`, by the furthest it ever was ahead.
    private let furthest: Atomic<Int64>

    init(
        now: @escaping @Sendable () -> Timestamp,
        instant: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.now = now
        self.instant = instant
        begin = instant()
        furthest = Atomic(now().milliseconds)
    }

    func raise(to time: Timestamp) {
        let passed = Int64(begin.duration(to: instant()) / .milliseconds(1))
        furthest.max(time.milliseconds - passed, ordering: .relaxed)
    }

    func read() -> Timestamp {
        let passed = Int64(begin.duration(to: instant()) / .milliseconds(1))
        let shown = now().milliseconds - passed
        let (_, before) = furthest.max(shown, ordering: .relaxed)
        return Timestamp(milliseconds: max(before, shown) + passed)
    }
}
