import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct AvailabilityRouteTests {
    private static func roster(
        _ server: TestServer, by caller: TestServer.Caller
    ) async throws -> [String: String] {
        let answer = try await server.get(
            "/api/businesses/\(server.business.id)/presence", by: caller)
        #expect(answer.status == 200)
        var states: [String: String] = [:]
        for row in try #require(answer["data"]).elements {
            states[row["agent"]?["name"]?.string ?? ""] = row["state"]?.string
        }
        return states
    }

    @Test func `the roster shows who is there, as each chose it`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let conversation = try await server.makeConversation()
        _ = try await server.send(
            .patch, "/api/conversations/\(conversation.id)", #"{"assignee":"me"}"#, by: owner)
        let before = try await Self.roster(server, by: agent)
        #expect(before["Ada"] == "offline")
        #expect(before.count == 2)
        try await StreamTests.converse(server, by: owner) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            #expect(try await Self.roster(server, by: agent)["Ada"] == "online")
            try await StreamTests.converse(server, by: agent) { other in
                other.say(#"{"type":"hello","after":null}"#)
                #expect(await other.heard(2)[1]["state"]?.string == "online")
                socket.say(#"{"type":"availability","state":"away"}"#)
                let away = await other.heard(3)[2]
                #expect(away["kind"]?.string == "availability")
                #expect(away["state"]?.string == "away")
                #expect(away["conversation"]?.isNull == true)
                #expect(away["business"]?.string == server.business.id.text)
                #expect(away["who"]?["name"]?.string == "Ada")
                // Ada's own page hears of Ben, and of each choice in both of her businesses.
                for (place, (choice, seen)) in [("busy", "busy"), ("invisible", "offline")]
                    .enumerated()
                {
                    let chosen = try await server.send(
                        .put, "/api/session/availability", #"{"state":"\#(choice)"}"#, by: owner)
                    #expect(chosen["state"]?.string == choice)
                    let roster = try await Self.roster(server, by: agent)
                    #expect(roster["Ada"] == seen)
                    let session = try await server.get("/api/session", by: owner)
                    #expect(session["availability"]?.string == choice)
                    #expect(await other.heard(4 + place)[3 + place]["state"]?.string == seen)
                    let own = await socket.heard(4 + 2 * place)
                    #expect(own[1]["kind"]?.string == "availability")
                    #expect(own[3 + 2 * place]["kind"]?.string == "choice")
                    #expect(own[3 + 2 * place]["state"]?.string == choice)
                }
            }
        }
        // What was chosen is kept for the next page.
        try await StreamTests.converse(server, by: owner) { socket in
            socket.say(#"{"type":"hello","after":null}"#)
            _ = await socket.heard(1)
            let states = try await Self.roster(server, by: agent)
            #expect(states["Ada"] == "offline")
        }
        let answer = try await server.get(
            "/api/businesses/\(server.business.id)/presence", by: agent)
        let row = answer["data"]?.elements.first { $0["agent"]?["name"]?.string == "Ada" }
        #expect(row?["open"]?.int == 1)
    }

    @Test(arguments: [#"{}"#, #"{"state":"offline"}"#, #"{"state":7}"#, #"{"state":null}"#])
    func `a choice that is none is refused`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.send(
            .put, "/api/session/availability", body, by: owner)
        #expect(answer.code == "invalid")
        #expect(
            try await server.get("/api/session", by: owner)["availability"]?.string == "online")
    }
}
