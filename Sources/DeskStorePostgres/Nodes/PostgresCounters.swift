public import DeskModel
import Synchronization

/// Counters of all nodes that share a database: each counts by itself and announces what it counted.
///
/// Debits are announced every 250 ms, at once from a tenth of a burst on; failures and the sign-ins that
/// clear them at once. Of reservations each node announces its sums, all of them every 20 s, so that
/// those of a node that died are forgotten after three times that. A lost notice gives a subject what it
/// held, once.
public final class PostgresCounters: CounterSource {
    private let announcer: CounterAnnouncer

    /// Counters over a node's notices, once for each node.
    public convenience init(_ notices: PostgresNotices, time: TimeSource = .system) {
        self.init(notices, time: time, repeats: .seconds(20))
    }

    /// Counters that say all their sums once more at another interval.
    package init(_ notices: PostgresNotices, time: TimeSource, repeats: Duration) {
        announcer = CounterAnnouncer(notices, time: time, repeats: repeats)
    }

    /// A rate that all nodes debit.
    public func rate(_ name: String, _ rate: Rate, maximumSubjects: Int) -> any RateCounter {
        let own = LocalCounters().rate(name, rate, maximumSubjects: maximumSubjects)
        announcer.register(own, name)
        return AnnouncedRate(own: own, name: name, announcer: announcer)
    }

    /// Sums of all nodes.
    public func reservations(_ name: String) -> any ReservationCounter {
        let own = LocalCounters().reservations(name)
        announcer.register(own, name)
        return AnnouncedReservations(own: own, name: name, announcer: announcer)
    }

    /// Failures on all nodes.
    public func failures(
        _ name: String, _ waits: FailureWaits, maximumSubjects: Int
    ) -> any FailureCounter {
        let own = LocalCounters().failures(name, waits, maximumSubjects: maximumSubjects)
        announcer.register(own, name)
        return AnnouncedFailures(own: own, name: name, announcer: announcer)
    }

    /// Announces what was counted, without waiting for more.
    package func announce() { announcer.announce() }
}

private struct AnnouncedRate: RateCounter {
    let own: any RateCounter
    let name: String
    let announcer: CounterAnnouncer

    var rate: Rate { own.rate }

    func take(
        _ tokens: Double, by subject: CounterSubject, at now: ContinuousClock.Instant
    ) -> RateVerdict {
        let verdict = own.take(tokens, by: subject, at: now)
        if verdict.isAllowed { announcer.debit(tokens, of: subject, name, burst: rate.burst) }
        return verdict
    }

    func giveBack(
        _ tokens: Double, to subject: CounterSubject, at now: ContinuousClock.Instant
    ) {
        own.giveBack(tokens, to: subject, at: now)
        announcer.debit(-tokens, of: subject, name, burst: rate.burst)
    }

    func debit(_ tokens: Double, of subject: CounterSubject, at now: ContinuousClock.Instant) {
        own.debit(tokens, of: subject, at: now)
    }
}

private struct AnnouncedFailures: FailureCounter {
    let own: any FailureCounter
    let name: String
    let announcer: CounterAnnouncer

    func wait(of subject: CounterSubject, at now: ContinuousClock.Instant) -> Duration {
        own.wait(of: subject, at: now)
    }

    func note(_ failures: Int, of subject: CounterSubject, at now: ContinuousClock.Instant) {
        own.note(failures, of: subject, at: now)
        announcer.announce(.failures(CounterKey(name: name, subject: subject), failures))
    }

    func clear(_ subject: CounterSubject) {
        own.clear(subject)
        announcer.announce(.cleared(CounterKey(name: name, subject: subject)))
    }
}

private struct AnnouncedReservations: ReservationCounter {
    let own: any ReservationCounter
    let name: String
    let announcer: CounterAnnouncer

    func reserve(_ amount: Int64, for subject: CounterSubject) -> Int64 {
        let key = CounterKey(name: name, subject: subject)
        let sum = own.reserve(amount, for: subject)
        if amount != 0 { announcer.reservationChanged(of: key) }
        return sum + announcer.reservedElsewhere(for: key)
    }

    func release(_ amount: Int64, for subject: CounterSubject) {
        own.release(amount, for: subject)
        announcer.reservationChanged(of: CounterKey(name: name, subject: subject))
    }
}
