import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ParticipantRouteTests {
    @Test func `participants are added and removed, and an agent follows, each with an event`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: ben)
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        let added = try await server.send(.put, path + "/participants/\(id)", by: owner)
        #expect(added["participants"]?.elements.map { $0["id"]?.string } == [id.text])
        #expect(added["participants"]?.elements.map { $0["name"]?.string != nil } == [true])
        let followed = try await server.send(.put, path + "/watch", by: ben)
        #expect(followed["watchers"]?.elements.map { $0["id"]?.string } == [id.text])
        let removed = try await server.send(.delete, path + "/participants/\(id)", by: ben)
        #expect(removed["participants"]?.count == 0)
        #expect(try await server.send(.delete, path + "/watch", by: ben)["watchers"]?.count == 0)
        let events =
            try await server.get(path + "/messages", by: owner)["events"]?.elements
            .map { $0["type"]?.string } ?? []
        #expect(
            events.suffix(4) == [
                "conversation.participants_changed", "conversation.watchers_changed",
                "conversation.participants_changed", "conversation.watchers_changed",
            ])
        let other = "/participants/\(server.business.id)"
        #expect(try await server.send(.put, path + other, by: owner).code == "invalid")
        #expect(
            try await server.send(.put, path + "/participants/nobody", by: owner).code
                == "not_found")
    }

    @Test func `a team is mentioned by its members, and a retired one or one who left is refused`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let ben = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let id = try await server.agentID(of: ben)
        let business = "/api/businesses/\(server.business.id)"
        let made = try await server.post(
            business + "/teams",
            ##"{"name":"Night","colour":"#003366","members":["\##(id)"]}"##, by: owner)
        let team = try #require(made["id"]?.string)
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)/notes"
        let note = try await server.post(
            path, #"{"text":"@Night","teams":["\#(team)"]}"#, by: owner)
        #expect(note.status == 201)
        #expect(note["mentions"]?.elements.map { $0["id"]?.string } == [id.text])
        #expect(note["teams"]?.elements.map { $0.string } == [team])
        let list = try await server.get(
            "/api/conversations?filter=mentions&business=\(server.business.id)", by: ben)
        #expect(list["counts"]?["mentions"]?.int == 1)
        _ = try await server.send(
            .patch, business + "/teams/\(team)", #"{"retired":true}"#, by: owner)
        _ = try await server.send(.delete, business + "/members/\(id)", by: owner)
        for (body, place) in [
            (#"{"text":"x","teams":["\#(team)"]}"#, "/teams/0"),
            (#"{"text":"x","mentions":["\#(id)"]}"#, "/mentions/0"),
            (#"{"text":"x","teams":"Night"}"#, "/teams"),
        ] {
            let refused = try await server.post(path, body, by: owner)
            #expect(refused.status == 422)
            #expect(refused["errors"]?.elements.map { $0["pointer"]?.string } == [place])
        }
    }
}
