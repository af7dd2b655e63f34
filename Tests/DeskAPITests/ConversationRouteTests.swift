import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ConversationRouteTests {
    @Test func `the list filters, counts and pages`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        var ids: [String] = []
        for _ in 0..<5 { ids.append(try await server.makeConversation().id.text) }
        _ = try await server.makeConversation(server.other)
        let taken = try await server.send(
            .patch, "/api/conversations/\(ids[0])", #"{"assignee":"me"}"#, by: owner)
        #expect(taken["assignee"]?["name"]?.string == "Ada")
        let closed = try await server.send(
            .patch, "/api/conversations/\(ids[1])", #"{"state":"closed"}"#, by: owner)
        #expect(closed["state"]?.string == "closed")
        let all = try await server.get("/api/conversations", by: owner)
        #expect(all["data"]?.count == 6)
        #expect(all["counts"]?["mine"]?.int == 1)
        #expect(all["counts"]?["unassigned"]?.int == 5)
        let business = "business=\(server.business.id)"
        func count(_ query: String) async throws -> Int? {
            try await server.get("/api/conversations?\(query)", by: owner)["data"]?.count
        }
        #expect(try await count(business) == 5)
        #expect(try await count(business + "&filter=mine") == 1)
        #expect(try await count(business + "&filter=unassigned&state=open") == 3)
        #expect(try await count("state=closed") == 1)
        var seen: [String] = []
        var after = ""
        while true {
            let page = try await server.get(
                "/api/conversations?\(business)&page[size]=2\(after)", by: owner)
            seen += page["data"]?.elements.compactMap { $0["id"]?.string } ?? []
            guard let next = page["next"]?.string else { break }
            after = "&page[after]=\(next)"
        }
        #expect(seen.sorted() == ids.sorted())
    }

    @Test(arguments: [
        "filter=other", "state=gone", "page[size]=301", "page[after]=x", "page[size]=0",
    ])
    func `a query that means nothing is 422`(query: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        #expect(try await server.get("/api/conversations?\(query)", by: owner).code == "invalid")
    }

    @Test func `who waits is counted beyond the page that is read`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        var ids: [String] = []
        for _ in 0..<3 {
            ids.append(try await server.makeConversation().id.text)
            server.time.advance(by: .seconds(1))
        }
        let page = try await server.get("/api/conversations?page[size]=1&state=open", by: owner)
        #expect(page["data"]?.count == 1)
        let waiting = page["counts"]?["waiting"]
        #expect(waiting?["count"]?.int == 3)
        #expect(waiting?["conversation"]?.string == ids[0])
        #expect(waiting?["since"]?.string != nil)
        let mine = try await server.get("/api/conversations?filter=mine", by: owner)
        #expect(mine["counts"]?["waiting"]?["count"]?.int == 0)
        #expect(mine["counts"]?["waiting"]?["conversation"]?.isNull == true)
    }

    @Test func `a foreign business in the query is 404`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/conversations?business=\(server.other.id)", by: key)
        #expect(answer.code == "not_found")
        #expect(try await server.get("/api/conversations?filter=mine", by: key).code == "invalid")
    }

    @Test(arguments: [
        #"{"state":"gone"}"#, #"{"assignee":"nobody"}"#,
        #"{"snoozedUntil":"2040-01-01T00:00:00Z"}"#,
        #"{"state":"snoozed","snoozedUntil":"2001-01-01T00:00:00Z"}"#, #"{"colour":1}"#,
        #"{"assignee":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}"#,
    ])
    func `a change that breaks a rule changes nothing`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let answer = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", body, by: owner)
        #expect(answer.code == "invalid")
        #expect(try await server.store.findConversation(conversation.id) == conversation)
    }

    @Test func `reading clears the unread, and cannot read ahead`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        #expect(conversation.unread == 1)
        let path = "/api/conversations/\(conversation.id)/read"
        #expect(try await server.post(path, #"{"sequence":2}"#, by: owner).code == "invalid")
        #expect(try await server.post(path, #"{"sequence":1}"#, by: owner).status == 204)
        #expect(try await server.store.findConversation(conversation.id)?.unread == 0)
    }

    @Test func `a note over its limit is refused`() async throws {
        let server = try await TestServer { $0.noteBytes = 10 }
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/notes"
        #expect(try await server.post(path, #"{"text":"1234567890"}"#, by: owner).status == 201)
        #expect(
            try await server.post(path, #"{"text":"12345678901"}"#, by: owner).code == "invalid")
        #expect(try await server.post(path, #"{"text":""}"#, by: owner).code == "invalid")
    }
}
