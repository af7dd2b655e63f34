import DeskBytes
import DeskHTTP
import DeskModel
import TestSupport
import Testing

@testable import DeskWeb

/// Limits of sign-ins: what is let through at the limit, and one beyond it.
struct LoginGuardTests {
    private func attempt(_ account: String, from address: String) -> LoginAttempt {
        LoginAttempt(
            account: ByteString(account), device: nil, network: ClientNetwork(address))
    }

    /// Whether an attempt is let in, when it comes and when it is its turn.
    private func isLetIn(_ guardian: LoginGuard, _ account: String, from address: String) -> Bool {
        do throws(Problem) {
            try guardian.admit(attempt(account, from: address))
            try guardian.begin(attempt(account, from: address))
            return true
        } catch { return false }
    }

    @Test func `the wait after failed sign-ins grows to 900 seconds and no further`() {
        let time = TestTime()
        let guardian = LoginGuard(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        // The fifth failure costs 1 s, the 15th would cost 1,024 s.
        let attempt = attempt("a", from: "192.0.2.1")
        for _ in 0..<15 { guardian.noteFailure(attempt) }
        time.advance(by: .seconds(899))
        #expect(!isLetIn(guardian, "a", from: "192.0.2.1"))
        time.advance(by: .seconds(1))
        #expect(isLetIn(guardian, "a", from: "192.0.2.1"))
    }

    @Test func `an account has a hundred failures an hour, from wherever they come`() {
        let time = TestTime()
        let guardian = LoginGuard(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        for number in 0..<100 { #expect(isLetIn(guardian, "a", from: "192.0.2.\(number)")) }
        #expect(!isLetIn(guardian, "a", from: "192.0.2.200"))
        #expect(isLetIn(guardian, "b", from: "192.0.2.200"))
    }
}
