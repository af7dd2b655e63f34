import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What an unknown caller, a customer or a member tries in order to get more than is theirs.
struct AttackTests {
    @Test func `a new password ends the sessions that the old one began`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let id = try #require(
            try await server.get("/api/session", by: owner)["agent"]?["id"]?.string)
        let token = try await server.makePasswordLink(for: try #require(AgentID(id)))
        let changed = try await server.post(
            "/api/invitations/accept",
            #"{"token":"\#(token)","name":"Ada","password":"another horse battery"}"#)
        #expect(changed.status == 201)
        #expect(try await server.get("/api/session", by: owner).status == 401)
        let now = try #require(changed.cookie("fd"))
        #expect(try await server.get("/api/session", by: .agent(now)).status == 200)
    }

    @Test func `a batch key with another body stores nothing, whatever was refused at first`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        func entry(_ text: String) -> String {
            #"{"conversation":"\#(conversation.id)","payload":{"type":"text"\#(text)}}"#
        }
        func send(_ entries: [String]) async throws -> Answer {
            try await server.post(
                "/api/messages/batch", #"{"messages":[\#(entries.joined(separator: ","))]}"#,
                by: key, headers: ["Idempotency-Key": "\"b\""])
        }
        let first = try await send([entry(""), entry(#","body":"1""#)])
        #expect(first["results"]?[0]?["status"]?.int == 422)
        #expect(try await server.messageCount(conversation) == 2)
        let other = try await send([entry(#","body":"2""#), entry(#","body":"3""#)])
        #expect(other.code == "idempotency_mismatch")
        #expect(try await send([entry(#","body":"4""#)]).code == "idempotency_mismatch")
        #expect(try await server.messageCount(conversation) == 2)
        let again = try await send([entry(""), entry(#","body":"1""#)])
        #expect(again.bytes == first.bytes)
        #expect(again.headers["idempotency-replayed"] == "true")
    }

    @Test func `more messages in a batch than the broker accepts are refused, not fatal`()
        async throws
    {
        let server = try await TestServer { $0.batchMessages = 1_000 }
        let conversation = try await server.makeConversation()
        let key = try await server.makeKey([server.business])
        let entry = #"{"conversation":"\#(conversation.id)","payload":{"type":"text","body":"x"}}"#
        let list = Array(repeating: entry, count: 101).joined(separator: ",")
        let answer = try await server.post(
            "/api/messages/batch", #"{"messages":[\#(list)]}"#, by: key)
        #expect(answer.code == "invalid")
    }

    @Test(
        arguments: [
            (true, "localhost:8080", [], true), (true, "127.0.0.1", [], true),
            (true, "[::1]:8080", [], true), (false, "localhost", [], false),
            (true, "evil.example:8080", [], false), (true, "127.0.0.1.evil.example", [], false),
            (true, "localhost", ["X-Forwarded-For"], false), (true, "localhost", ["Via"], false),
            (true, "localhost", ["X-Real-IP"], false), (true, "localhost", ["Forwarded"], false),
        ] as [(Bool, String, [String], Bool)])
    func `only a program of this machine under its own name counts as local`(
        isLoopback: Bool, host: String, fields: [String], isLocal: Bool
    ) throws {
        var headers: HeaderFields = [:]
        for field in fields {
            headers.append(field, "192.0.2.1")
        }
        let request = try Request(
            method: .get, target: "/metrics", headers: headers, body: [], host: host,
            peer: Peer(address: "127.0.0.1", isLoopback: isLoopback))
        #expect(LocalCaller.made(request) == isLocal)
    }

    @Test func `what a silent proxy sends by its own defaults is not local`() throws {
        // nginx as it comes: HTTP/1.0, the Host of the address passed to, no word of whom it is for.
        for isOld in [true, false] {
            let request = try Request(
                method: .get, target: "/metrics", headers: ["Connection": "close"],
                host: "127.0.0.1:8080", isHTTP10: isOld)
            #expect(LocalCaller.made(request) == !isOld)
        }
    }
}
