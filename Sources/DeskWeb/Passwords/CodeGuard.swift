import DeskHTTP
package import DeskModel

/// Slows the guessing of second factors down: five wrong codes of an account are free, then it waits a
/// second, doubling to 15 minutes.
///
/// Counted by the account, from wherever they come, since who guesses has its password already; a device that
/// signed in to the account before is counted apart, so that its owner cannot be locked out. A right
/// password clears nothing here, a right code does. What is counted is forgotten an hour after the last wait.
package final class CodeGuard: Sendable {
    private static let most = 10_000
    private static let memory: Duration = .seconds(3_600)
    private let time: TimeSource
    private let failures: any FailureCounter

    package init(limits: WebLimits, time: TimeSource, counters: any CounterSource) {
        self.time = time
        failures = counters.failures(
            "codes failed",
            FailureWaits(
                first: limits.loginFailures, longestSeconds: limits.loginWaitSeconds,
                memory: Self.memory),
            maximumSubjects: Self.most)
    }

    /// Counts a code as wrong before it is looked at, so that many at once are not more than one after the other.
    ///
    /// - Parameter device: the one that the request shows, when it is known to the account.
    /// - Throws: `rate_limited` when it comes too soon.
    package func begin(_ account: AgentID, device: Digest?) throws(Problem) {
        let (subject, now) = (Self.subject(account, device), time.instant())
        let wait = failures.wait(of: subject, at: now)
        guard wait == .zero else {
            var problem = Problem(.rateLimited, "Too many wrong codes; wait before the next one.")
            problem.retryAfterSeconds = wait.wholeSeconds
            throw problem
        }
        failures.note(1, of: subject, at: now)
    }

    /// Forgets the wrong codes of an account: the one that `begin` counted was right.
    package func noteRight(_ account: AgentID, device: Digest?) {
        failures.clear(Self.subject(account, device))
    }

    private static func subject(_ account: AgentID, _ device: Digest?) -> CounterSubject {
        guard let device else { return CounterSubject(sort: 4, account.value) }
        return CounterSubject(
            sort: 5, high: account.value.high ^ device.words[0],
            low: account.value.low ^ device.words[1])
    }
}
