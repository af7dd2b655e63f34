import APITestSupport
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What the log says of administrative changes: what was changed, and by whom.
struct ActorLineTests {
    /// The one line of an event.
    private static func line(_ event: String, of server: TestServer) throws -> String {
        let lines = server.log.lines.filter { $0.contains(" event=\(event) ") }
        #expect(lines.count == 1, "\(event)")
        return try #require(lines.first)
    }

    @Test func `changes of members, businesses and entry links leave lines that say by whom`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let (ada, other) = (try await server.agentID(of: owner), try await server.agentID(of: ben))
        let path = "/api/businesses/\(server.business.id)"
        let changed = try await server.send(
            .patch, "\(path)/members/\(other)", #"{"role":"owner"}"#, by: owner)
        #expect(changed.status == 200)
        let renamed = try await server.send(
            .patch, path, #"{"name":"Canary"}"#, by: owner)
        #expect(renamed.status == 200)
        let made = try await server.post("\(path)/links", #"{"label":"Canary"}"#, by: owner)
        let link = try #require(made["id"]?.string)
        let gone = try await server.send(.delete, "\(path)/links/\(link)", by: owner)
        #expect(gone.status == 204)
        let business = "business=\(server.business.id)"
        for (event, values) in [
            ("member_changed", "agent=\(other) \(business) role=owner"),
            ("business_changed", business), ("entry_link_made", "link=\(link) \(business)"),
            ("entry_link_deleted", "link=\(link) \(business)"),
        ] {
            let line = try Self.line(event, of: server)
            #expect(line.contains(" level=info "))
            #expect(line.hasSuffix(" by=agent:\(ada) \(values)"), "\(line)")
        }
        // A change to what is there already is none.
        let same = try await server.send(
            .patch, "\(path)/members/\(other)", #"{"role":"owner"}"#, by: owner)
        #expect(same.status == 200)
        _ = try Self.line("member_changed", of: server)
        #expect(!server.log.lines.contains { $0.contains("Canary") || $0.contains("example.com") })
    }

    @Test func `a line names the actor once, and beside it the key that replaces another`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ada = try await server.agentID(of: owner)
        let made = try await server.post(
            "/api/keys", #"{"name":"shop","businesses":["\#(server.business.id)"]}"#, by: owner)
        let key = try #require(made["key"]?["id"]?.string)
        let secret = try #require(made["secret"]?.string)
        _ = try await server.get(
            "/api/businesses/\(server.business.id)/exports/conversations", by: owner)
        let exported = try Self.line("exported", of: server)
        #expect(exported.split(separator: " ").filter { $0.hasPrefix("by=") }.count == 1)
        #expect(exported.contains(" by=agent:\(ada) "))
        let replaced = try await server.post("/api/keys/\(key)/replacement", "{}", by: owner)
        let next = try #require(replaced["key"]?["id"]?.string)
        let line = try Self.line("key_replaced", of: server)
        #expect(line.hasSuffix(" by=agent:\(ada) key=\(key) successor=\(next)"), "\(line)")
        #expect(!line.contains(secret))
    }
}
