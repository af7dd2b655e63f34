import DeskBroker
import DeskBytes
import DeskModel
import Synchronization

/// Slows guessing down: five failures are free, then an account waits a second, doubling to 15 minutes.
///
/// Besides, an account has 100 tries an hour and an address 20 a minute. Unknown accounts are counted
/// like known ones, so that an answer tells nothing of who has an account.
public final class LoginGuard: Sendable {
    private struct Failures {
        var count = 0
        var until: ContinuousClock.Instant
    }

    private struct State {
        var failures: [ByteString: Failures] = [:]
        var accounts: RateLimiter<ByteString>
        var addresses: RateLimiter<ByteString>
    }

    /// Most accounts whose failures are remembered; beyond it those that need not wait are forgotten.
    private static let most = 10_000
    private let limits: APILimits
    private let time: TimeSource
    private let state: Mutex<State>

    init(limits: APILimits, time: TimeSource) {
        self.limits = limits
        self.time = time
        let account = Double(limits.loginsPerAccountAndHour)
        let address = Double(limits.loginsPerAddressAndMinute)
        state = Mutex(
            State(
                accounts: RateLimiter(
                    Rate(perSecond: account / 3_600, burst: account), maximumCallers: Self.most),
                addresses: RateLimiter(
                    Rate(perSecond: address / 60, burst: address), maximumCallers: Self.most)))
    }

    /// Refuses a try that comes too soon.
    func admit(account: String, address: String) throws(Problem) {
        let now = time.instant()
        let wait: Duration = state.withLock { state in
            let byAddress = state.addresses.take(by: ByteString(address), at: now)
            guard byAddress.isAllowed else { return max(byAddress.retryAfter, .seconds(1)) }
            if let failures = state.failures[ByteString(account)], failures.until > now {
                return now.duration(to: failures.until)
            }
            let byAccount = state.accounts.take(by: ByteString(account), at: now)
            return byAccount.isAllowed ? .zero : max(byAccount.retryAfter, .seconds(1))
        }
        guard wait > .zero else { return }
        var problem = Problem(.rateLimited, "Too many sign-ins; wait before the next try.")
        problem.retryAfterSeconds = wait.wholeSeconds
        throw problem
    }

    /// Notes how a try ended.
    func note(account: String, succeeded: Bool) {
        let key = ByteString(account)
        let now = time.instant()
        state.withLock { state in
            guard !succeeded else {
                state.failures[key] = nil
                return
            }
            if state.failures[key] == nil, state.failures.count >= Self.most {
                state.failures = state.failures.filter { $0.value.until > now }
                if state.failures.count >= Self.most { state.failures.removeAll() }
            }
            var failures = state.failures[key] ?? Failures(until: now)
            failures.count += 1
            let beyond = failures.count - limits.loginFailures
            if beyond >= 0 {
                let seconds = min(limits.loginWaitSeconds, 1 << min(beyond, 20))
                failures.until = now + .seconds(seconds)
            }
            state.failures[key] = failures
        }
    }
}
