import APITestSupport
import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct PrincipalTests {
    @Test(arguments: [
        "Bearer", "Bearer ", "Basic Zm9v", "Bearer fd_test_short", "fd_test_",
        "Bearer fd_test_" + String(repeating: "A", count: 65),
    ])
    func `a wrong key is 401 even where a guest would be let in`(field: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.get(
            "/api/businesses", by: owner, headers: ["Authorization": field])
        #expect(answer.code == "unauthenticated")
    }

    @Test func `a key of another mode's prefix is no key`() async throws {
        let server = try await TestServer()
        guard case .key(let text) = try await server.makeKey([server.business]) else { return }
        #expect(text.hasPrefix("fd_test_"))
        let live = text.replacing("fd_test_", with: "fd_live_")
        #expect(try await server.get("/api/businesses", by: .key(live)).status == 401)
    }

    @Test func `a revoked key is refused on the next request`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let key = try await server.makeKey([server.business])
        #expect(try await server.get("/api/businesses", by: key).status == 200)
        let keys = try await server.get("/api/keys", by: owner)
        let id = try #require(keys["data"]?[0]?["id"]?.string)
        #expect(try await server.send(.delete, "/api/keys/\(id)", by: owner).status == 204)
        #expect(try await server.get("/api/businesses", by: key).status == 401)
        #expect(try await server.send(.delete, "/api/keys/\(id)x", by: owner).status == 404)
    }

    @Test(arguments: [nil, "http://evil.example", "null", "https://desk.example:8080"])
    func `a change with a cookie needs our own origin`(origin: String?) async throws {
        let server = try await TestServer()
        guard case .agent(let token) = try await server.makeOwner() else { return }
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/messages"
        let body = #"{"type":"text","body":"x"}"#
        var fields: HeaderFields = ["Cookie": "fd=\(token)"]
        if let origin { fields.append("Origin", origin) }
        #expect(try await server.post(path, body, headers: fields).code == "forbidden")
        #expect(try await server.get(path, headers: fields).status == 200)
        #expect(try await server.messageCount(conversation) == 1)
        fields.set("Origin", TestServer.origin)
        #expect(try await server.post(path, body, headers: fields).status == 201)
    }

    @Test func `no answer of the API may be loaded by another site's page`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        for target in ["/api/setup", "/api/session", "/api/nothing", "/api/conversations?x=1"] {
            let answer = try await server.get(target, by: key)
            #expect(answer.headers["cross-origin-resource-policy"] == "same-origin", "\(target)")
        }
    }

    @Test func `another site cannot sign a browser in either`() async throws {
        let server = try await TestServer()
        _ = try await server.makeOwner()
        let body = #"{"email":"ada@example.com","password":"\#(TestServer.password)"}"#
        let answer = try await server.post(
            "/api/session", body, headers: ["Origin": "http://evil.example"])
        #expect(answer.code == "forbidden")
    }

    @Test func `rates of writes are counted for each key and come back with time`() async throws {
        let server = try await TestServer {
            $0.web.keyMessagesBurst = 2
            $0.web.keyMessagesPerSecond = 1
        }
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let other = try await server.makeKey([server.business])
        let path = "/api/conversations/\(conversation.id)/messages"
        let body = #"{"type":"text","body":"x"}"#
        #expect(try await server.post(path, body, by: key).status == 201)
        #expect(try await server.post(path, body, by: key).status == 201)
        let refused = try await server.post(path, body, by: key)
        #expect(refused.code == "rate_limited")
        #expect(refused.headers["retry-after"] == "1")
        #expect(refused.headers["ratelimit-policy"] == "\"writes\";q=2;w=2")
        #expect(try await server.get(path, by: key).status == 200)
        #expect(try await server.post(path, body, by: other).status == 201)
        server.time.advance(by: .seconds(1))
        #expect(try await server.post(path, body, by: key).status == 201)
        #expect(try await server.messageCount(conversation) == 5)
    }
}
