import Glibc

/// Where the time comes from, so that tests can bring their own.
public struct TimeSource: Sendable {
    /// The wall clock: shown, signed, compared with stated leeway.
    public let now: @Sendable () -> Timestamp
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
