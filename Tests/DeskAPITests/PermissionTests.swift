import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// Who may do what, and the answers to those who may not.
struct PermissionTests {
    @Test func `a refusal says who may, and what helps the caller`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let key = try await server.makeKey([server.business])
        let path = "/api/businesses/\(server.business.id)"
        func refusal(
            _ method: DeskHTTP.Method, _ path: String, by caller: TestServer.Caller
        ) async throws -> String? {
            let answer = try await server.send(method, path, "{}", by: caller)
            #expect(answer.status == 403)
            return answer["detail"]?.string
        }
        #expect(
            try await refusal(.patch, path, by: ben)
                == "Only a signed-in owner of this business may do this. "
                + "You are an agent here: ask an owner.")
        #expect(
            try await refusal(.post, "/api/businesses", by: ben)
                == "Only a signed-in owner of a business may do this. "
                + "You are an agent here: ask an owner.")
        #expect(
            try await refusal(.post, path + "/members", by: key)
                == "Only a signed-in owner of this business may do this. An API key may not.")
        let session = try await server.send(.get, "/api/session", by: key)
        #expect(
            session["detail"]?.string
                == "Only a person who is signed in may do this. An API key may not.")
    }

    @Test func `the session says what the role is in each business`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let session = try await server.get("/api/session", by: ben)
        #expect(session["businesses"]?.count == 1)
        #expect(session["businesses"]?[0]?["role"]?.string == "agent")
        #expect(session["agent"]?["role"]?.string == "agent")
        let own = try await server.get("/api/session", by: owner)
        #expect(own["businesses"]?[0]?["role"]?.string == "owner")
    }

    @Test func `a key lists whom it may assign to, without addresses, in its businesses alone`()
        async throws
    {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let path = "/api/businesses/\(server.business.id)/members"
        let list = try await server.get(path, by: key)
        #expect(list.status == 200)
        #expect(list["data"]?[0]?["name"]?.string == "Ada")
        #expect(!list.text.contains("@"))
        let foreign = "/api/businesses/\(server.other.id)/members"
        #expect(try await server.get(foreign, by: key).status == 404)
        let id = try #require(list["data"]?[0]?["id"]?.string)
        let conversation = try await server.makeConversation()
        let given = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", #"{"assignee":"\#(id)"}"#, by: key)
        #expect(given["assignee"]?["name"]?.string == "Ada")
    }

    @Test func `me is no member for a key, and the refusal says where the ids are`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        let refused = try await server.send(.patch, path, #"{"assignee":"me"}"#, by: key)
        #expect(refused.status == 422)
        let finding = try #require(refused["errors"]?[0])
        #expect(
            finding["allowed"]?.string
                == "null, or the id of a member who handles conversations")
        #expect(
            finding["fix"]?.string
                == "Only a person who is signed in is \"me\": take the id from "
                + "GET /api/businesses/\(server.business.id)/members.")
        let mine = try await server.send(.patch, path, #"{"assignee":"me"}"#, by: owner)
        #expect(mine["assignee"]?["name"]?.string == "Ada")
    }

    @Test func `only who may use the sandbox in its business gets its join codes`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let eve = try await server.makeMember(
            "eve@example.com", .owner, of: server.other, by: owner)
        let refused = try await server.post("/api/sandbox/codes", "{}", by: eve)
        #expect(refused.status == 403)
        #expect(
            refused["detail"]?.string
                == "Only a signed-in owner, supervisor or agent of the sandbox's business may do "
                + "this. "
                + "You are not one: ask an owner of it.")
        #expect(try await server.get("/api/sandbox", by: eve).status == 403)
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        #expect(try await server.post("/api/sandbox/codes", "{}", by: ben).status == 201)
    }
}
