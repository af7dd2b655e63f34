import DeskHTTP
import DeskLog
import Testing

@testable import DeskNet

/// How many connections one address may have before it has shown a credential.
struct StrangerTests {
    @Test func `an address has 64 connections, and a place again when one ends`() {
        let service = Service(
            handler: Router(), limits: ServerLimits(), tls: nil, log: .silent, metrics: Metrics())
        let answers = (0..<65).map { _ in service.admitStranger("203.0.113.7") }
        #expect(answers == Array(repeating: true, count: 64) + [false])
        #expect(service.admitStranger("203.0.113.8"))
        service.dismissStranger("203.0.113.7")
        #expect(service.admitStranger("203.0.113.7"))
        #expect(!service.admitStranger("203.0.113.7"))
        // An address nobody counted is no harm.
        service.dismissStranger("203.0.113.9")
    }
}
