import APITestSupport
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb
import TestSupport
import Testing

@testable import DeskAPI

/// Open streams look at once whether their reader may still read, whatever ended the reader's right.
@Suite struct StreamRevocationTests {
    private static let peer = Peer(address: "192.0.2.7", isLoopback: false)

    /// A stream of an agent's session, as the server holds it.
    private static func open(
        _ caller: TestServer.Caller, at server: TestServer
    ) async throws -> StreamLease {
        guard case .agent(let token) = caller else { throw Unexpected("no agent") }
        let request = try Request(
            method: .get, target: "/api/events",
            headers: ["Cookie": "fd=\(token)", "Origin": TestServer.origin], body: [],
            host: TestServer.host, peer: peer)
        let authenticators = Authenticators(services: server.services)
        let principal = try #require(
            try await authenticators.agent.authenticate(request)?.principal)
        let lease = try server.services.streams.acquire(principal, peer)
        // Each stream looks once at its beginning.
        #expect(lease.look.take())
        return lease
    }

    @Test func `signing out ends that session's streams and leaves the others alone`() async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let ended = try await Self.open(owner, at: server)
        let other = try await Self.open(member, at: server)
        #expect(try await server.send(.delete, "/api/session", by: owner).status == 204)
        #expect(ended.look.take())
        #expect(!other.look.take())
    }

    @Test func `a removed member's streams look at once`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: member)
        let lease = try await Self.open(member, at: server)
        let path = "/api/businesses/\(server.business.id)/members/\(id)"
        #expect(try await server.send(.delete, path, by: owner).status == 204)
        #expect(lease.look.take())
    }

    @Test func `what the store ends without a route is looked at too`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let id = try await server.agentID(of: owner)
        let lease = try await Self.open(owner, at: server)
        for end in [0, 1] {
            if end == 0 {
                try await server.store.setRole(
                    .agent, of: id, in: server.other.id, author: .server)
            } else {
                try await server.store.endSessions(of: .agent(id), author: .server)
            }
            #expect(lease.look.take(), "\(end)")
        }
        lease.leave()
        try await server.store.endSessions(of: .agent(id), author: .server)
        #expect(!lease.look.take())
    }

    @Test func `what another node revokes, or may have revoked, is looked at too`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: member)
        let (one, other) = (
            try await Self.open(member, at: server), try await Self.open(owner, at: server)
        )
        await server.store.credentials.publish(
            .changes([.credentials(.endSessions(of: .agent(id)))]))
        #expect(one.look.take() && !other.look.take())
        await server.store.credentials.publish(.everything)
        #expect(one.look.take() && other.look.take())
    }
}
