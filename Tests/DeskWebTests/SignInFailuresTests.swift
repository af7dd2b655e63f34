import DeskHTTP
import DeskLog
import DeskModel
import TestSupport
import Testing

@testable import DeskWeb

/// How many lines failed sign-ins leave, and that none of them is lost.
struct SignInFailuresTests {
    private let time = TestTime()
    private let sink = MemorySink()
    private let metrics = Metrics()
    private var log: Log { Log(to: sink) }

    private func makeFailures() -> SignInFailures {
        SignInFailures(log: log, time: time.source, metrics: metrics)
    }

    private func peer(_ address: String) -> Peer { Peer(address: address, isLoopback: false) }

    /// What the lines say behind the word `address=`.
    private var said: [String] {
        sink.lines.compactMap { $0.split(separator: " address=").last.map { String($0) } }
    }

    @Test func `a flood from one network has two lines a minute, and all of it is counted`() {
        let failures = makeFailures()
        for second in 0..<120 {
            for _ in 0..<100 { failures.noteRefusal(from: peer("192.0.2.7"), in: log) }
            #expect(sink.lines.count <= 2 + second / 30)
            time.advance(by: .seconds(1))
        }
        failures.noteFailure(from: peer("192.0.2.7"), in: log)
        #expect(
            said == [
                "192.0.2.7 failed=0 refused=1", "192.0.2.7 failed=0 refused=5999",
                "192.0.2.7 failed=0 refused=1", "192.0.2.7 failed=0 refused=5999",
                "192.0.2.7 failed=1 refused=0",
            ])
        #expect(metrics.text().contains("frontdesk_sign_ins_refused_total 12000\n"))
    }

    @Test func `a hundred networks have lines of their own, further ones share one`() {
        let failures = makeFailures()
        for number in 0..<100 {
            failures.noteFailure(from: peer("192.0.2.\(number)"), in: log)
        }
        #expect(sink.lines.count == 100)
        for number in 0..<250 {
            failures.noteFailure(from: peer("198.51.100.\(number)"), in: log)
        }
        // An IPv6 network is a /64.
        failures.noteFailure(from: peer("2001:db8::1"), in: log)
        #expect(sink.lines.count == 100)
        time.advance(by: .seconds(60))
        failures.noteFailure(from: peer("2001:db8::1"), in: log)
        failures.noteFailure(from: peer("2001:db8::2"), in: log)
        #expect(
            said.suffix(2) == ["others failed=251 refused=0", "2001:db8::1 failed=1 refused=0"])
    }

    @Test func `what is counted when a flood ends is said after its minute, and at the end`()
        async throws
    {
        let failures = makeFailures()
        let running = Task { await failures.run() }
        try await Wait.until("it waits") { time.sleeperCount > 0 }
        for _ in 0..<3 { failures.noteFailure(from: peer("192.0.2.7"), in: log) }
        time.advance(by: .seconds(60))
        try await Wait.until("it waits again") { time.sleeperCount > 0 }
        #expect(said == ["192.0.2.7 failed=1 refused=0", "192.0.2.7 failed=2 refused=0"])
        for _ in 0..<2 { failures.noteFailure(from: peer("192.0.2.7"), in: log) }
        running.cancel()
        await running.value
        #expect(said.suffix(1) == ["192.0.2.7 failed=1 refused=0"])
        #expect(sink.lines.count == 4)
    }
}
