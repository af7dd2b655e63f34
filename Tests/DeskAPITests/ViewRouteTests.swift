import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ViewRouteTests {
    /// Conversations of the server's business, a second apart.
    private static func fill(_ server: TestServer, _ count: Int) async throws -> [String] {
        var ids: [String] = []
        for _ in 0..<count {
            ids.append(try await server.makeConversation().id.text)
            server.time.advance(by: .seconds(1))
        }
        return ids
    }

    @Test func `each view has its exact count, whatever is loaded`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.fill(server, 5)
        _ = try await server.makeConversation(server.other)
        for (id, change) in [
            (ids[0], #"{"assignee":"me"}"#), (ids[1], #"{"state":"closed"}"#),
            (ids[2], #"{"state":"snoozed"}"#),
        ] {
            _ = try await server.send(.patch, "/api/conversations/\(id)", change, by: owner)
        }
        let answer = try await server.get("/api/views?business=\(server.business.id)", by: owner)
        #expect(answer.status == 200)
        let counts = answer["counts"]
        let expected = [
            ("mine", 1), ("unassigned", 2), ("all", 3), ("pending", 0), ("snoozed", 1),
            ("closed", 1),
        ]
        for (view, count) in expected { #expect(counts?[view]?.int == count, "\(view)") }
        #expect(counts?["waiting"]?["count"]?.int == 3)
        #expect(counts?["waiting"]?["conversation"]?.string == ids[0])
        #expect(answer["assignees"]?.count == 1)
        #expect(answer["assignees"]?[0]?["count"]?.int == 1)
        #expect(answer["head"]?.string == server.services.broker.head.text)
        let all = try await server.get("/api/views", by: owner)
        #expect(all["counts"]?["all"]?.int == 4)
        let key = try await server.makeKey([server.other])
        let foreign = try await server.get("/api/views", by: key)
        #expect(foreign["counts"]?["all"]?.int == 1)
        #expect(foreign["counts"]?["mine"]?.int == 0)
        #expect(
            try await server.get("/api/views?business=\(server.business.id)", by: key).code
                == "not_found")
    }

    @Test func `the list of those who wait begins with the longest, and pages`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.fill(server, 5)
        _ = try await server.send(
            .patch, "/api/conversations/\(ids[1])", #"{"state":"closed"}"#, by: owner)
        var seen: [String] = []
        var after = ""
        while seen.count < 9 {
            let page = try await server.get(
                "/api/conversations?waiting=true&page[size]=2\(after)", by: owner)
            seen += page["data"]?.elements.compactMap { $0["id"]?.string } ?? []
            guard let next = page["next"]?.string else { break }
            after = "&page[after]=\(next)"
        }
        #expect(seen == [ids[0], ids[2], ids[3], ids[4]])
    }

    @Test func `a list is of one agent, of none, or of the caller`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ids = try await Self.fill(server, 3)
        let mine = try await server.send(
            .patch, "/api/conversations/\(ids[0])", #"{"assignee":"me"}"#, by: owner)
        let agent = try #require(mine["assignee"]?["id"]?.string)
        for (query, count) in [
            ("me", 1), (agent, 1), ("none", 2), ("8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111", 0),
        ] {
            let found = try await server.get("/api/conversations?assignee=\(query)", by: owner)
            #expect(found["data"]?.count == count, "\(query)")
        }
    }

    @Test(arguments: [
        "waiting=yes", "waiting=true&state=closed", "waiting=true&page[after]=17",
        "waiting=true&page[after]=x.y", "assignee=somebody", "assignee=me&filter=mine",
        "waiting=false&page[after]=1.8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111",
    ])
    func `a parameter that means nothing is refused with its name`(query: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        #expect(try await server.get("/api/conversations?\(query)", by: owner).code == "invalid")
    }

    @Test func `customers alone are searched without the index of messages`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        var customer = conversation.customer
        customer.name = "Robin"
        _ = try await server.services.broker.change(
            conversation.id, .describe(customer), by: .server)
        let found = try await server.get("/api/search?q=rob&in=customers", by: key)
        #expect(found["conversations"]?[0]?["id"]?.string == conversation.id.text)
        #expect(found["data"]?.count == 0)
        #expect(found["hasMore"]?.bool == false)
        for query in ["q=rob&in=nothing", "q=rob&in=customers&page[after]=5", "in=customers"] {
            #expect(try await server.get("/api/search?\(query)", by: key).code == "invalid")
        }
    }
}
