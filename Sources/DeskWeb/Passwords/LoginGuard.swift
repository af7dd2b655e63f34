import DeskBytes
import DeskHTTP
package import DeskModel
import DeskStore

/// Slows guessing down: five failures are free, then their source waits a second, doubling to 15 minutes.
///
/// The source is the account together with the device that signed in to it before, or else with the
/// network: an attacker elsewhere locks no owner out, and a known device cannot be locked out.
/// Besides, unknown devices have 100 failures an hour at an account, from wherever they come, and
/// 20 a minute in a network, at whatever accounts. A sign-in that succeeds costs nothing. Unknown
/// accounts are counted like known ones, so that an answer does not show who has an account.
/// Failures are forgotten an hour after the last wait, and when the server ends. All counts come from
/// a `CounterSource`, so that several processes share them.
public final class LoginGuard: Sendable {
    /// Most sources whose failures are remembered; beyond it those that need not wait are forgotten.
    private static let most = 10_000
    /// How long after its last wait a source's failures count.
    private static let memory: Duration = .seconds(3_600)
    private let time: TimeSource
    private let failures: any FailureCounter
    private let accounts, networks: any RateCounter

    package init(limits: WebLimits, time: TimeSource, counters: any CounterSource) {
        self.time = time
        failures = counters.failures(
            "sign-ins failed",
            FailureWaits(
                first: limits.loginFailures, longestSeconds: limits.loginWaitSeconds,
                memory: Self.memory),
            maximumSubjects: Self.most)
        let account = Double(limits.loginsPerAccountAndHour)
        let network = Double(limits.loginsPerAddressAndMinute)
        accounts = counters.rate(
            "sign-ins account", Rate(perSecond: account / 3_600, burst: account),
            maximumSubjects: Self.most)
        networks = counters.rate(
            "sign-ins address", Rate(perSecond: network / 60, burst: network),
            maximumSubjects: Self.most)
    }

    /// Refuses an attempt that comes too soon, before it is queued; draws nothing.
    package func admit(_ attempt: LoginAttempt) throws(Problem) {
        let now = time.instant()
        let wait = take(attempt, at: now)
        if wait == .zero { giveBack(attempt, at: now) }
        try refuse(wait)
    }

    /// Draws from the budgets when the password is about to be checked; refused when they are
    /// empty.
    ///
    /// Not before: those who wait for their turn would each hold a part of a budget that the ones
    /// before them may give back.
    package func begin(_ attempt: LoginAttempt) throws(Problem) {
        try refuse(take(attempt, at: time.instant()))
    }

    /// Notes that an attempt failed that `begin` let through.
    package func noteFailure(_ attempt: LoginAttempt) {
        failures.note(1, of: attempt.countedSource, at: time.instant())
    }

    /// Forgets what an attempt's source failed before.
    package func clear(_ attempt: LoginAttempt) {
        failures.clear(attempt.countedSource)
    }

    /// Draws once more for an attempt whose right password was followed by a wrong code.
    package func draw(_ attempt: LoginAttempt) { _ = take(attempt, at: time.instant()) }

    /// Returns what `begin` drew for an attempt that was no wrong guess.
    package func giveBack(_ attempt: LoginAttempt) {
        let now = time.instant()
        giveBack(attempt, at: now)
    }

    /// Draws an attempt from its budgets; how long it has to wait when it may not, and nothing is
    /// drawn.
    private func take(_ attempt: LoginAttempt, at now: ContinuousClock.Instant) -> Duration {
        let wait = failures.wait(of: attempt.countedSource, at: now)
        guard wait == .zero else { return wait }
        // What a known device fails is bounded by its own wait.
        guard attempt.device == nil else { return .zero }
        let byNetwork = networks.take(1, by: attempt.network.counted, at: now)
        guard byNetwork.isAllowed else { return max(byNetwork.retryAfter, .seconds(1)) }
        let byAccount = accounts.take(1, by: attempt.countedAccount, at: now)
        guard byAccount.isAllowed else {
            networks.giveBack(1, to: attempt.network.counted, at: now)
            return max(byAccount.retryAfter, .seconds(1))
        }
        return .zero
    }

    private func giveBack(_ attempt: LoginAttempt, at now: ContinuousClock.Instant) {
        guard attempt.device == nil else { return }
        networks.giveBack(1, to: attempt.network.counted, at: now)
        accounts.giveBack(1, to: attempt.countedAccount, at: now)
    }

    private func refuse(_ wait: Duration) throws(Problem) {
        guard wait > .zero else { return }
        var problem = Problem(.rateLimited, "Too many sign-ins; wait before the next try.")
        problem.retryAfterSeconds = wait.wholeSeconds
        throw problem
    }
}

extension LoginAttempt {
    /// What the account is called in counters, whether there is one or not.
    fileprivate var countedAccount: CounterSubject {
        CounterSubject(sort: 1, .sha256(account.bytes))
    }

    /// Whose failures are counted together: a device that signed in to the account before, or all
    /// unknown devices of a network, for one account.
    fileprivate var countedSource: CounterSubject {
        if let device { return CounterSubject(sort: 2, .sha256(device.bytes + account.bytes)) }
        let network = network.counted
        let name = (0..<8).map { UInt8(truncatingIfNeeded: network.low >> ($0 * 8)) }
        return CounterSubject(sort: network.sort, .sha256(name + account.bytes))
    }
}
