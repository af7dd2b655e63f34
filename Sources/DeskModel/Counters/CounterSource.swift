/// A rate with a burst, counted for many subjects, whichever process they ask.
///
/// What is debited here counts at once; what other processes debit comes later, by `debit`. So nothing
/// waits, and with several processes a subject gets at most a burst from each and then the rate.
public protocol RateCounter: Sendable {
    /// The rate that holds for each subject.
    var rate: Rate { get }

    /// Debits tokens, all or none, at a moment of the monotonic clock; none only looks.
    ///
    /// More than the burst at once is allowed when the budget is full; it then owes the rest.
    func take(
        _ tokens: Double, by subject: CounterSubject, at now: ContinuousClock.Instant
    ) -> RateVerdict

    /// Gives tokens back that were debited for what then did not count; never beyond the burst.
    func giveBack(_ tokens: Double, to subject: CounterSubject, at now: ContinuousClock.Instant)

    /// Debits what another process allowed; the budget may owe up to a burst afterwards.
    func debit(_ tokens: Double, of subject: CounterSubject, at now: ContinuousClock.Instant)
}

/// Sums of what is under way, such as bytes that are being uploaded.
public protocol ReservationCounter: Sendable {
    /// Adds an amount; returns what all of the subject's are together now.
    func reserve(_ amount: Int64, for subject: CounterSubject) -> Int64

    /// Subtracts an amount: it is stored by now, or will never come.
    func release(_ amount: Int64, for subject: CounterSubject)
}

/// Where counters come from; no other place counts rates, upload budgets or failed sign-ins.
public protocol CounterSource: Sendable {
    /// A rate under a name that all processes use for it, once in each.
    ///
    /// Limit: beyond `maximumSubjects` those whose budgets are full are forgotten, and then new ones
    /// are refused.
    func rate(_ name: String, _ rate: Rate, maximumSubjects: Int) -> any RateCounter

    /// Sums under a name that all processes use for them, once in each.
    func reservations(_ name: String) -> any ReservationCounter

    /// Failures under a name that all processes use for them, once in each.
    ///
    /// Limit: beyond `maximumSubjects` those who need not wait are forgotten, and then all.
    func failures(
        _ name: String, _ waits: FailureWaits, maximumSubjects: Int
    ) -> any FailureCounter
}

extension CounterSource {
    /// A rate for up to 100,000 subjects.
    public func rate(_ name: String, _ rate: Rate) -> any RateCounter {
        self.rate(name, rate, maximumSubjects: 100_000)
    }
}
