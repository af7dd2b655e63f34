import APITestSupport
import DeskHTTP
import DeskModel
import DeskWeb
import Synchronization
import TestSupport
import Testing

@testable import DeskAPI

struct StreamClockTests {
    /// A clock that moves only when a task sleeps.
    private final class SleepClock: Sendable {
        let passed = Mutex(Duration.zero)
        private let origin = ContinuousClock.now

        var source: TimeSource {
            TimeSource(
                now: { Timestamp(seconds: 1_900_000_000) },
                instant: { self.origin + self.passed.withLock { $0 } },
                sleep: { duration in self.passed.withLock { $0 += duration } })
        }
    }

    @Test func `a revoked key loses its open stream within a minute`() async throws {
        let server = try await TestServer()
        guard case .key(let text) = try await server.makeKey([server.business]) else { return }
        let request = try Request(
            method: .get, target: "/api/events", headers: ["Authorization": "Bearer \(text)"],
            body: [], host: TestServer.host, peer: Peer(address: "192.0.2.7", isLoopback: false))
        let authenticators = Authenticators(services: server.services)
        let principal = try #require(
            try await authenticators.key.authenticate(request)?.principal)
        guard case .key(let key) = principal else { return }
        let watch = PrincipalWatch(
            request: request, principal: principal,
            authorizer: RequestAuthorizer(
                services: server.services, authenticators: authenticators))
        let clock = SleepClock()
        let services = Services(
            broker: server.services.broker, rulebook: TestFiles.rulebook,
            publicURL: server.services.publicURL, secrets: server.secrets, time: clock.source)
        #expect(try await server.services.keys.revoke(key.id, author: .server))
        var stream = StreamClock(services: services, watch: watch)
        var end = await stream.judge()
        while end == nil {
            try await clock.source.sleep(stream.rest)
            end = await stream.judge()
        }
        #expect(end == .notAllowed)
        #expect(clock.passed.withLock { $0 } <= .seconds(60))
    }
}
