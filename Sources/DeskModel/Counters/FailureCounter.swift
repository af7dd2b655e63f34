/// How long those wait who failed: a few failures cost nothing, then the wait is a second and doubles.
public struct FailureWaits: Hashable, Sendable {
    /// The failure that costs the first wait, counted from 1.
    public let first: Int
    /// The longest wait, in seconds.
    public let longestSeconds: Int
    /// How long after the last wait failures still count.
    public let memory: Duration

    /// Sets the three.
    public init(first: Int, longestSeconds: Int, memory: Duration) {
        self.first = first
        self.longestSeconds = longestSeconds
        self.memory = memory
    }

    /// The wait after so many failures in a row.
    public func wait(after count: Int) -> Duration {
        let beyond = count - first
        return beyond < 0 ? .zero : .seconds(min(longestSeconds, 1 << min(beyond, 20)))
    }
}

/// Failures in a row of many subjects, whichever process they come to.
///
/// What is noted here counts at once; what other processes note or clear comes later, by the same
/// calls. So nothing waits, and with several processes a subject gets at most the free failures of
/// each before it waits everywhere. Nothing outlives the processes.
public protocol FailureCounter: Sendable {
    /// How long a subject has to wait still; zero when it need not.
    func wait(of subject: CounterSubject, at now: ContinuousClock.Instant) -> Duration

    /// Adds failures; the last of them begins the wait of their sum.
    func note(_ failures: Int, of subject: CounterSubject, at now: ContinuousClock.Instant)

    /// Forgets a subject's failures, and with them its wait.
    func clear(_ subject: CounterSubject)
}
