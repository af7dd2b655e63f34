import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct MergeRouteTests {
    private static func path(_ server: TestServer, _ conversation: Conversation) -> String {
        "/api/businesses/\(server.business.id)/contacts/\(conversation.contact)"
    }

    @Test func `owners merge and undo it, and the later of two learns who was first`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let one = try await server.makeConversation()
        let two = try await server.makeConversation()
        let path = Self.path(server, one)
        let body = #"{"contact":"\#(two.contact)"}"#
        #expect(try await server.post(path + "/merge", body, by: agent).status == 403)
        let itself = try await server.post(
            path + "/merge", #"{"contact":"\#(one.contact)"}"#, by: owner)
        #expect(itself.status == 422)
        #expect(itself["errors"]?[0]?["pointer"]?.string == "/contact")
        let merged = try await server.post(path + "/merge", body, by: owner)
        #expect(merged.status == 200)
        #expect(merged["conversations"]?.count == 2)
        #expect(merged["mergedFrom"]?[0]?["id"]?.string == two.contact.text)
        #expect(merged["mergedFrom"]?[0]?["by"]?["type"]?.string == "agent")
        let row = try await server.get("/api/conversations/\(two.id)", by: agent)
        #expect(row["contact"]?["id"]?.string == one.contact.text)
        let late = try await server.post(
            Self.path(server, two) + "/merge", #"{"contact":"\#(one.contact)"}"#, by: owner)
        #expect(late.status == 409)
        #expect(late.code == "already_merged")
        #expect(late["current"]?["id"]?.string == two.contact.text)
        #expect(late["current"]?["merged"]?["into"]?.string == one.contact.text)
        #expect(late["current"]?["merged"]?["by"]?["name"]?.string?.isEmpty == false)
        #expect(
            try await server.post(Self.path(server, two) + "/unmerge", "", by: agent).status == 403)
        let apart = try await server.post(Self.path(server, two) + "/unmerge", "", by: owner)
        #expect(apart.status == 200)
        #expect(apart["merged"]?.isNull == true)
        #expect(apart["conversations"]?.count == 1)
        let again = try await server.post(Self.path(server, two) + "/unmerge", "", by: owner)
        #expect(again.code == "not_merged")
        let foreign = try await server.makeConversation(server.other)
        let other = #"{"contact":"\#(foreign.contact)"}"#
        #expect(try await server.post(path + "/merge", other, by: owner).status == 404)
    }

    @Test func `a blocked customer's phone stores nothing and may still read`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let phone = "/api/phone/\(server.business.id)"
        let said = try await server.post(
            phone + "/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let customer = TestServer.Caller.customer(try #require(said.cookie("fdc")))
        let id = try #require(
            said["message"]?["conversation"]?.string.flatMap { ConversationID($0) })
        let conversation = try #require(try await server.store.findConversation(id))
        let path = Self.path(server, conversation)
        #expect(try await server.post(path + "/block", "", by: agent).status == 403)
        let blocked = try await server.post(path + "/block", "", by: owner)
        #expect(blocked["blockedAt"]?.string != nil)
        let newest = server.store.newest
        let message = #"{"id":"\#(server.services.broker.makeID())","text":"Hello?"}"#
        for (method, rest, body) in [
            (Method.post, "/messages", message), (.post, "/mute", #"{"muted":true}"#),
            (.delete, "/conversation", ""), (.post, "/typing", #"{"state":"start"}"#),
        ] {
            let refused = try await server.send(method, phone + rest, body, by: customer)
            #expect(refused.status == 403, "\(rest)")
            #expect(refused.code == "customer_blocked", "\(rest)")
        }
        #expect(server.store.newest == newest)
        #expect(try await server.get(phone + "/messages", by: customer).status == 200)
        let row = try await server.get("/api/conversations/\(conversation.id)", by: agent)
        #expect(row["blockedAt"]?.string != nil)
        let free = try await server.post(path + "/unblock", "", by: owner)
        #expect(free["blockedAt"]?.isNull == true)
        #expect(try await server.post(phone + "/messages", message, by: customer).status == 201)
    }
}
