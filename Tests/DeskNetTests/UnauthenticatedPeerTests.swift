import DeskHTTP
import DeskLog
import Testing

@testable import DeskNet

/// How many connections one address may have before it has shown a credential.
struct UnauthenticatedPeerTests {
    @Test func `an address has 1,024 connections, and a place again when one ends`() {
        let service = Service(
            handler: Router(), limits: ServerLimits(), tls: nil, log: .silent, metrics: Metrics())
        let answers = (0..<1_025).map { _ in service.admitUnauthenticated("203.0.113.7") }
        #expect(answers == Array(repeating: true, count: 1_024) + [false])
        #expect(service.admitUnauthenticated("203.0.113.8"))
        service.dismissUnauthenticated("203.0.113.7")
        #expect(service.admitUnauthenticated("203.0.113.7"))
        #expect(!service.admitUnauthenticated("203.0.113.7"))
        // An address without a count is no harm.
        service.dismissUnauthenticated("203.0.113.9")
    }

    @Test func `the addresses of an IPv6 network have their connections together`() {
        let service = Service(
            handler: Router(), limits: ServerLimits(), tls: nil, log: .silent, metrics: Metrics())
        let answers = (0..<1_025).map { service.admitUnauthenticated("2001:db8:0:1::\($0)") }
        #expect(answers == Array(repeating: true, count: 1_024) + [false])
        #expect(service.admitUnauthenticated("2001:db8:0:2::1"))
        service.dismissUnauthenticated("2001:db8:0:1::7")
        #expect(service.admitUnauthenticated("2001:db8:0:1:ffff::"))
    }
}
