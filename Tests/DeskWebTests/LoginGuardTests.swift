import DeskBytes
import DeskHTTP
import DeskModel
import DeskStore
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

    @Test func `what fails at one process costs a wait at the others, and a sign-in ends it`() {
        let time = TestTime()
        let counters = ExchangingCounters(2)
        let guards = counters.sources.map {
            LoginGuard(limits: WebLimits(), time: time.source, counters: $0)
        }
        let attempt = attempt("a", from: "192.0.2.1")
        for guardian in guards { for _ in 0..<4 { guardian.noteFailure(attempt) } }
        // Each has counted four, and five are free of a wait of one second.
        for guardian in guards { #expect(isLetIn(guardian, "a", from: "192.0.2.1")) }
        counters.exchange(at: time.source.instant())
        // Together eight: the wait is 8 s.
        for guardian in guards { #expect(!isLetIn(guardian, "a", from: "192.0.2.1")) }
        #expect(isLetIn(guards[1], "a", from: "192.0.2.2"))
        #expect(isLetIn(guards[1], "b", from: "192.0.2.1"))
        time.advance(by: .seconds(7))
        for guardian in guards { #expect(!isLetIn(guardian, "a", from: "192.0.2.1")) }
        time.advance(by: .seconds(1))
        for guardian in guards { #expect(isLetIn(guardian, "a", from: "192.0.2.1")) }
        guards[0].noteFailure(attempt)
        counters.exchange(at: time.source.instant())
        #expect(!isLetIn(guards[1], "a", from: "192.0.2.1"))
        guards[1].clear(attempt)
        counters.exchange(at: time.source.instant())
        for guardian in guards { #expect(isLetIn(guardian, "a", from: "192.0.2.1")) }
    }

    @Test func `a known device's failures are its own`() {
        let time = TestTime()
        let guardian = LoginGuard(
            limits: WebLimits(), time: time.source, counters: LocalCounters())
        let network = ClientNetwork("192.0.2.1")
        let known = LoginAttempt(
            account: ByteString("a"), device: .sha256([1]), network: network)
        for _ in 0..<5 { guardian.noteFailure(attempt("a", from: "192.0.2.1")) }
        #expect(!isLetIn(guardian, "a", from: "192.0.2.1"))
        #expect(throws: Never.self) { try guardian.begin(known) }
        for _ in 0..<5 { guardian.noteFailure(known) }
        guardian.clear(attempt("a", from: "192.0.2.1"))
        #expect(throws: Problem.self) { try guardian.begin(known) }
        #expect(isLetIn(guardian, "a", from: "192.0.2.1"))
    }
}
