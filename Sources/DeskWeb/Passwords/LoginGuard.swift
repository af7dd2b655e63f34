import DeskBytes
import DeskHTTP
package import DeskModel
import DeskStore
import Synchronization

/// Slows guessing down: five failures are free, then their source waits a second, doubling to 15 minutes.
///
/// The source is the account together with the device that signed in to it before, or else with the
/// network: an attacker elsewhere locks no owner out, and a known device cannot be locked out.
/// Besides, unknown devices have 100 failures an hour at an account, from wherever they come, and
/// 20 a minute in a network, at whatever accounts. A sign-in that succeeds costs nothing. Unknown
/// accounts are counted like known ones, so that an answer does not show who has an account.
/// Failures are forgotten an hour after the last wait.
public final class LoginGuard: Sendable {
    private struct Failures {
        var count = 0
        var until: ContinuousClock.Instant
    }

    private struct State {
        var failures: [LoginAttempt.Source: Failures] = [:]
    }

    /// Most sources whose failures are remembered; beyond it those that need not wait are forgotten.
    private static let most = 10_000
    /// How long after its last wait a source's failures count.
    private static let memory: Duration = .seconds(3_600)
    private let limits: WebLimits
    private let time: TimeSource
    private let accounts, networks: any RateCounter
    private let state = Mutex(State())

    package init(limits: WebLimits, time: TimeSource, counters: any CounterSource) {
        self.limits = limits
        self.time = time
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
        try refuse(
            state.withLock { state in
                let wait = take(attempt, in: state, at: now)
                if wait == .zero { giveBack(attempt, at: now) }
                return wait
            })
    }

    /// Draws from the budgets when the password is about to be checked; refused when they are
    /// empty.
    ///
    /// Not before: those who wait for their turn would each hold a part of a budget that the ones
    /// before them may give back.
    package func begin(_ attempt: LoginAttempt) throws(Problem) {
        let now = time.instant()
        try refuse(state.withLock { take(attempt, in: $0, at: now) })
    }

    /// Notes that an attempt failed that `begin` let through.
    package func noteFailure(_ attempt: LoginAttempt) {
        let now = time.instant()
        state.withLock { state in
            let source = attempt.source
            if state.failures[source] == nil, state.failures.count >= Self.most {
                state.failures = state.failures.filter { $0.value.until > now }
                if state.failures.count >= Self.most { state.failures.removeAll() }
            }
            let recent = state.failures[source].flatMap { $0.until + Self.memory > now ? $0 : nil }
            var failures = recent ?? Failures(until: now)
            failures.count += 1
            let beyond = failures.count - limits.loginFailures
            if beyond >= 0 {
                let seconds = min(limits.loginWaitSeconds, 1 << min(beyond, 20))
                failures.until = now + .seconds(seconds)
            }
            state.failures[source] = failures
        }
    }

    /// Forgets what an attempt's source failed before.
    package func clear(_ attempt: LoginAttempt) {
        state.withLock { $0.failures[attempt.source] = nil }
    }

    /// Returns what `begin` drew for an attempt that was no wrong guess.
    package func giveBack(_ attempt: LoginAttempt) {
        let now = time.instant()
        giveBack(attempt, at: now)
    }

    /// Draws an attempt from its budgets; how long it has to wait when it may not, and nothing is
    /// drawn.
    private func take(
        _ attempt: LoginAttempt, in state: State, at now: ContinuousClock.Instant
    ) -> Duration {
        if let failures = state.failures[attempt.source], failures.until > now {
            return now.duration(to: failures.until)
        }
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
}
