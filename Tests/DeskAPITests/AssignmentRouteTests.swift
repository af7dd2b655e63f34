import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct AssignmentRouteTests {
    @Test func `of two who assign to themselves the second learns who has it`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        let body = #"{"assignee":"me","ifAssignee":null}"#
        let first = try await server.send(.patch, path, body, by: owner)
        #expect(first.status == 200)
        let second = try await server.send(.patch, path, body, by: agent)
        #expect(second.status == 409)
        #expect(second.code == "already_assigned")
        let winner = second["current"]?["assignee"]
        #expect(winner?["name"]?.string == first["assignee"]?["name"]?.string)
        let id = try #require(winner?["id"]?.string)
        // With what is known now the conversation changes hands, and the event says from whom.
        let third = try await server.send(
            .patch, path, #"{"assignee":"me","ifAssignee":"\#(id)"}"#, by: agent)
        #expect(third.status == 200)
        let events = try await server.store.events(
            after: .start, in: .conversation(conversation.id), limit: 99
        ).events.filter { $0.type == .conversationAssigned }
        #expect(events.count == 2)
        guard case .conversation(let step) = try #require(events.last).body,
            case .assignee(let from, let to, let cause) = step.change
        else {
            Issue.record("the event does not say what it changed")
            return
        }
        #expect(from?.text == id)
        #expect(to?.text == third["assignee"]?["id"]?.string)
        #expect(cause == .hand)
    }

    @Test(arguments: [#"{"ifAssignee":"me"}"#, #"{"ifAssignee":7}"#])
    func `an expectation that names no agent is refused`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let answer = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", body, by: owner)
        #expect(answer.code == "invalid")
    }

    @Test func `an agent's answer assigns, a key's does not, and a business can say no`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        func answer(_ caller: TestServer.Caller) async throws -> Answer {
            let sent = try await server.post(
                path + "/messages", #"{"type":"text","body":"Hello"}"#, by: caller)
            #expect(sent.status == 201)
            return try await server.get(path, by: owner)
        }
        #expect(try await answer(key)["assignee"]?.isNull == true)
        let business = "/api/businesses/\(server.business.id)"
        #expect(try await server.get(business, by: owner)["assignsOnReply"]?.bool == true)
        let off = try await server.send(
            .patch, business, #"{"assignsOnReply":false}"#, by: owner)
        #expect(off["assignsOnReply"]?.bool == false)
        #expect(try await answer(owner)["assignee"]?.isNull == true)
        _ = try await server.send(.patch, business, #"{"assignsOnReply":true}"#, by: owner)
        #expect(try await answer(owner)["assignee"]?["name"]?.string == "Ada")
        #expect(
            try await server.send(.patch, business, #"{"assignsOnReply":1}"#, by: owner).code
                == "invalid")
    }

    @Test func `an agent's batch assigns as one answer does`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let sent = try await server.post(
            "/api/messages/batch",
            #"""
            {"messages":[{"conversation":"\#(conversation.id)",\#
            "payload":{"type":"text","body":"Hello"}}]}
            """#, by: owner)
        #expect(sent.status == 200)
        let found = try await server.get("/api/conversations/\(conversation.id)", by: owner)
        #expect(found["assignee"]?["name"]?.string == "Ada")
    }
}
