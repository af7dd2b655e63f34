import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct TeamRouteTests {
    private static func make(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/teams",
            ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
        #expect(made.status == 201)
        return try #require(made["id"]?.string)
    }

    @Test func `owners make teams of members, agents give them conversations`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let path = "/api/businesses/\(server.business.id)/teams"
        let member = try #require(
            try await server.get("/api/session", by: agent)["agent"]?["id"]?.string)
        let body = ##"{"name":"Other","colour":"#000000"}"##
        #expect(try await server.post(path, body, by: agent).code == "forbidden")
        let id = try await Self.make("Night", in: server, by: owner)
        #expect(
            try await server.post(path, ##"{"name":"NIGHT","colour":"#000000"}"##, by: owner).code
                == "name_taken")
        let changed = try await server.send(
            .patch, "\(path)/\(id)", #"{"members":["\#(member)"]}"#, by: owner)
        #expect(changed["members"]?[0]?.string == member)
        #expect(changed["colour"]?.string == "#cc0000")
        let conversation = "/api/conversations/\(try await server.makeConversation().id)"
        #expect(try await server.get(conversation, by: agent)["team"]?.isNull == true)
        let moved = try await server.send(
            .patch, conversation, #"{"team":"\#(id)","ifTeam":null}"#, by: agent)
        #expect(moved["team"]?.string == id)
        let late = try await server.send(
            .patch, conversation, #"{"team":null,"ifTeam":null}"#, by: owner)
        #expect(late.code == "already_assigned")
        #expect(late["current"]?["team"]?.string == id)
        #expect(try await server.get(path, by: agent)["data"]?.count == 1)
        let views = try await server.get("/api/views", by: agent)
        #expect(views["teams"]?[0]?["id"]?.string == id)
        #expect(views["teams"]?[0]?["count"]?.int == 1)
        for (query, count) in [(id, 1), ("none", 0)] {
            let list = try await server.get("/api/conversations?team=\(query)", by: agent)
            #expect(list["data"]?.count == count)
        }
        let retired = try await server.send(
            .patch, "\(path)/\(id)", #"{"retired":true}"#, by: owner)
        #expect(retired["retired"]?.bool == true)
        let other = "/api/conversations/\(try await server.makeConversation().id)"
        #expect(
            try await server.send(.patch, other, #"{"team":"\#(id)"}"#, by: agent).code
                == "invalid")
        let thread = try await server.get(conversation + "/messages", by: agent)
        let event = try #require(
            thread["events"]?.elements.first {
                $0["type"]?.string == "conversation.team_changed"
            })
        #expect(event["data"]?["change"]?["team"]?["to"]?.string == id)
        #expect(event["data"]?["change"]?["team"]?["from"]?.isNull == true)
        // Who is removed from the business is in none of its teams.
        _ = try await server.send(
            .delete, "/api/businesses/\(server.business.id)/members/\(member)", by: owner)
        #expect(try await server.get(path, by: owner)["data"]?[0]?["members"]?.count == 0)
    }

    @Test(arguments: [
        ##"{"name":" ","colour":"#000000"}"##, ##"{"name":"a"}"##,
        ##"{"name":"a","colour":"red"}"##, ##"{"name":"a","colour":"#000000","members":"x"}"##,
        ##"{"name":"a","colour":"#000000","members":["x"]}"##,
        ##"{"name":"a","colour":"#000000","members":["8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"]}"##,
        ##"{"name":"a","colour":"#000000","retired":true}"##,
    ])
    func `a team that breaks a rule is not made`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/teams"
        #expect(try await server.post(path, body, by: owner).code == "invalid")
        #expect(try await server.get(path, by: owner)["data"]?.count == 0)
    }

    @Test(arguments: [
        #"{"team":"x"}"#, #"{"team":7}"#, #"{"ifTeam":"x"}"#,
        #"{"team":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}"#,
    ])
    func `a team that is none gets nothing`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let answer = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", body, by: owner)
        #expect(answer.code == "invalid")
        #expect(try await server.store.findConversation(conversation.id) == conversation)
        #expect(
            try await server.get("/api/conversations?team=x", by: owner).code == "invalid")
    }
}
