import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import TestSupport
import Testing

@testable import DeskAPI

/// Erasing the content of one message by its route.
@Suite struct ErasingRouteTests {
    private struct Desk {
        let server: TestServer
        let owner: TestServer.Caller
        let conversation: ConversationID
        let path: String

        /// A conversation with one message of the business.
        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            conversation = try await server.makeConversation().id
            let messages = "/api/conversations/\(conversation)/messages"
            let sent = try await server.post(
                messages, #"{"type":"text","body":"the words"}"#, by: owner)
            path = messages + "/" + (try #require(sent["id"]?.string, "\(sent.text)"))
        }

        func erase(by caller: TestServer.Caller? = nil) async throws -> Answer {
            try await server.send(.delete, path, by: caller ?? owner)
        }

        func events() async throws -> [Event] {
            try await server.store.events(
                after: .start, in: .customer(conversation), limit: 300
            ).events.filter { $0.type == .messageErased }
        }
    }

    @Test func `an owner erases a message once, and the log says who did`() async throws {
        let desk = try await Desk()
        for _ in 0..<2 {
            let left = try await desk.erase()
            #expect(left.status == 200, "\(left.text)")
            #expect(left["erasedAt"]?.string != nil)
            #expect(left["payload"]?.rawText == "{}")
            #expect(!left.text.contains("the words"))
        }
        let events = try await desk.events()
        #expect(events.count == 1)
        let event = try #require(events.first)
        guard case .json(let data) = event.body else { throw Unexpected("an event without data") }
        let by = try JSONDocument(parsing: data).root["by"]
        #expect(by?["type"]?.string == "agent" && by?["id"]?.string != nil)
        let thread = try await desk.server.get(
            "/api/conversations/\(desk.conversation)/messages", by: desk.owner)
        #expect(thread.status == 200 && !thread.text.contains("the words"))
    }

    @Test func `an agent may not erase, and neither may a key without the scope administration`()
        async throws
    {
        let desk = try await Desk()
        let agent = try await desk.server.makeMember(
            "ben@example.com", .agent, of: desk.server.business, by: desk.owner)
        #expect(try await desk.erase(by: agent).status == 403)
        let key = try await desk.server.makeKey([desk.server.business], scopes: .send)
        #expect(try await desk.erase(by: key).status == 403)
        #expect(try await desk.events().isEmpty)
        let may = try await desk.server.makeKey([desk.server.business], scopes: .administration)
        #expect(try await desk.erase(by: may).status == 200)
    }

    @Test func `a message that is not in the conversation is not found`() async throws {
        let desk = try await Desk()
        let other = try await desk.server.makeConversation().id
        let path = desk.path.replacing("\(desk.conversation)", with: "\(other)")
        #expect(try await desk.server.send(.delete, path, by: desk.owner).status == 404)
        #expect(try await desk.events().isEmpty)
    }
}
