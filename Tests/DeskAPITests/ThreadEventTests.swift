import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

struct ThreadEventTests {
    @Test func `a page of messages has who changed what between them`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        _ = try await server.send(.patch, path, #"{"assignee":"me"}"#, by: owner)
        _ = try await server.post(path + "/messages", #"{"type":"text","body":"b"}"#, by: owner)
        _ = try await server.send(
            .patch, path, #"{"state":"snoozed","snoozedUntil":"2040-01-01T00:00:00.000Z"}"#,
            by: owner)
        let whole = try await server.get(path + "/messages", by: owner)
        let events = whole["events"]?.elements.map { $0 } ?? []
        #expect(
            events.map { $0["type"]?.string } == [
                "conversation.opened", "conversation.assigned", "conversation.snoozed",
            ])
        #expect(events.map { $0["afterSequence"]?.int } == [0, 1, 2])
        #expect(events.map { $0["by"]?["name"]?.string } == [nil, "Ada", "Ada"])
        #expect(events.map { $0["state"]?.string } == ["open", "open", "snoozed"])
        #expect(events[1]["assignee"]?["name"]?.string == "Ada")
        #expect(events[2]["snoozedUntil"]?.string == "2040-01-01T00:00:00.000Z")
        func types(_ query: String) async throws -> [String] {
            try await server.get(path + "/messages?\(query)", by: owner)["events"]?.elements
                .compactMap { $0["type"]?.string } ?? []
        }
        #expect(try await types("page[size]=1") == ["conversation.snoozed"])
        #expect(
            try await types("before=2&page[size]=1")
                == ["conversation.opened", "conversation.assigned"])
        #expect(try await types("after=1") == ["conversation.assigned", "conversation.snoozed"])
    }

    @Test func `who answers over a colleague learns whose answer came first, and may send anyway`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/messages"
        #expect(
            try await server.post(
                path + "?ifLastSequence=1", #"{"type":"text","body":"Hi from Ben"}"#, by: member
            ).status == 201)
        let id = "0190f5e0-0000-7000-8000-000000000001"
        let mine = #"{"type":"text","id":"\#(id)","body":"Hi from Ada"}"#
        let refused = try await server.post(path + "?ifLastSequence=1", mine, by: owner)
        #expect(refused.status == 409)
        #expect(refused.code == "answered_meanwhile")
        let current = refused["current"]
        #expect(current?["sequence"]?.int == 2)
        #expect(current?["author"]?["name"]?.string == "Ben")
        #expect(current?["summary"]?.string == "Hi from Ben")
        #expect(current?["count"]?.int == 1)
        #expect(current?["time"]?.string != nil)
        #expect(try await server.messageCount(conversation) == 2)
        #expect(try await server.post(path, mine, by: owner).status == 201)
        // A repeat with the condition is still the first answer.
        #expect(
            try await server.post(path + "?ifLastSequence=1", mine, by: owner).headers.contains(
                "idempotency-replayed"))
        #expect(
            try await server.post(path + "?ifLastSequence=x", mine, by: owner).code == "invalid")
    }
}
