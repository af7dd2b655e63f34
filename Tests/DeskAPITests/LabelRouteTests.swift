import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct LabelRouteTests {
    private static func make(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels",
            ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
        #expect(made.status == 201)
        return try #require(made["id"]?.string)
    }

    @Test func `owners make and change labels, agents and keys put them on`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let key = try await server.makeKey([server.business], scopes: .unnamed)
        let path = "/api/businesses/\(server.business.id)/labels"
        let id = try await Self.make("VIP", in: server, by: owner)
        let body = ##"{"name":"Other","colour":"#000000"}"##
        #expect(try await server.post(path, body, by: agent).code == "forbidden")
        #expect(try await server.post(path, body, by: key).code == "missing_scope")
        let taken = try await server.post(
            path, ##"{"name":"vip","colour":"#000000"}"##, by: owner)
        #expect(taken.status == 409)
        #expect(taken.code == "name_taken")
        let changed = try await server.send(
            .patch, "\(path)/\(id)", #"{"name":"Regulars","order":3}"#, by: owner)
        #expect(changed["name"]?.string == "Regulars")
        #expect(changed["colour"]?.string == "#cc0000")
        #expect(changed["order"]?.int == 3)
        let conversation = "/api/conversations/\(try await server.makeConversation().id)"
        for caller in [agent, key] {
            let labelled = try await server.send(
                .patch, conversation, #"{"labels":{"add":["\#(id)"]}}"#, by: caller)
            #expect(labelled["labels"]?[0]?.string == id)
        }
        #expect(try await server.get(path, by: agent)["data"]?.count == 1)
        let views = try await server.get("/api/views", by: agent)
        #expect(views["labels"]?[0]?["id"]?.string == id)
        #expect(views["labels"]?[0]?["count"]?.int == 1)
        #expect(
            try await server.get("/api/conversations?label=\(id)", by: agent)["data"]?.count == 1)
        let retired = try await server.send(
            .patch, "\(path)/\(id)", #"{"retired":true}"#, by: owner)
        #expect(retired["retired"]?.bool == true)
        let other = "/api/conversations/\(try await server.makeConversation().id)"
        #expect(
            try await server.send(
                .patch, other, #"{"labels":{"add":["\#(id)"]}}"#, by: agent
            ).code == "invalid")
        let off = try await server.send(
            .patch, conversation, #"{"labels":{"remove":["\#(id)"]}}"#, by: agent)
        #expect(off["labels"]?.count == 0)
    }

    @Test(arguments: [
        ##"{"name":"","colour":"#000000"}"##, ##"{"name":" ","colour":"#000000"}"##,
        ##"{"name":"a"}"##, ##"{"name":"a","colour":"red"}"##,
        ##"{"name":"a","colour":"#000000","order":-1}"##,
        ##"{"name":"a","colour":"#000000","retired":true}"##,
    ])
    func `a label that breaks a rule is not made`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/labels"
        #expect(try await server.post(path, body, by: owner).code == "invalid")
        #expect(try await server.get(path, by: owner)["data"]?.count == 0)
    }

    @Test(arguments: [
        #"{"labels":[]}"#, #"{"labels":{"add":"x"}}"#, #"{"labels":{"add":["x"]}}"#,
        #"{"labels":{"add":["8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"]}}"#,
        #"{"labels":{"set":[]}}"#, #"{"priority":"soon"}"#,
    ])
    func `labels and priorities that are none change nothing`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let answer = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", body, by: owner)
        #expect(answer.code == "invalid")
        #expect(try await server.store.findConversation(conversation.id) == conversation)
    }

    @Test func `a priority is shown, listed and followed`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        #expect(try await server.get(path, by: owner)["priority"]?.string == "none")
        let urgent = try await server.send(
            .patch, path, #"{"priority":"urgent"}"#, by: owner)
        #expect(urgent["priority"]?.string == "urgent")
        for (query, count) in [
            ("urgent", 1), ("urgent,high", 1), ("none", 0), ("none,low", 0),
        ] {
            let found = try await server.get(
                "/api/conversations?priority=\(query)", by: owner)
            #expect(found["data"]?.count == count, "\(query)")
        }
        for query in ["priority=soon", "priority=", "label=x", "label=,"] {
            #expect(
                try await server.get("/api/conversations?\(query)", by: owner).code == "invalid")
        }
    }
}
