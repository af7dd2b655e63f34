import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskTeam
import Testing

@testable import DeskAPI

/// What agents chose for the console.
struct PreferenceTests {
    private static func choose(
        _ console: String, in server: TestServer, by caller: TestServer.Caller
    ) async throws -> Answer {
        try await server.send(
            .patch, "/api/session/preferences", #"{"console":\#(console)}"#, by: caller)
    }

    @Test func `choices are kept by their members, and each agent has their own`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let begun = try await server.get("/api/session", by: agent)
        #expect(begun["preferences"]?["console"]?.isNull == true)
        _ = try await Self.choose(
            #"{"sound":false,"notices":{"closed":true}}"#, in: server, by: agent)
        let kept = try await Self.choose(
            """
            {"notices":{"mine":false},"quiet":{"isOn":true,"from":"20:00","until":"07:30"},\
            "keys":{"isOff":false,"own":{"reply":"n","note":"r","close":"","search":"g q"}}}
            """, in: server, by: agent)["console"]
        #expect(kept?["sound"]?.bool == false)
        #expect(kept?["notices"]?["closed"]?.bool == true)
        #expect(kept?["notices"]?["mine"]?.bool == false)
        #expect(kept?["quiet"]?["until"]?.string == "07:30")
        #expect(kept?["keys"]?["own"]?["search"]?.string == "g q")
        let again = try await server.get("/api/session", by: agent)
        #expect(again["preferences"]?["console"]?["keys"]?["own"]?.count == 4)
        #expect(
            try await server.get("/api/session", by: owner)["preferences"]?["console"]?.isNull
                == true)
    }

    @Test(arguments: [
        (#"{"colour":1}"#, "/console/colour", "unknown"),
        (#"{"sound":"yes"}"#, "/console/sound", "value"),
        (#"{"notices":{"moon":true}}"#, "/console/notices/moon", "unknown"),
        (
            #"{"quiet":{"isOn":true,"from":"24:00","until":"07:00"}}"#, "/console/quiet/from",
            "value"
        ),
        (#"{"quiet":{"isOn":true,"from":"07:00"}}"#, "/console/quiet", "missing"),
        (#"{"keys":{"isOff":false,"own":{"reply":"n"}}}"#, "/console/keys/own/reply", "value"),
        (#"{"keys":{"isOff":false,"own":{"reply":"g"}}}"#, "/console/keys/own/reply", "value"),
        (#"{"keys":{"isOff":false,"own":{"reply":"xy"}}}"#, "/console/keys/own/reply", "value"),
        (#"{"keys":{"isOff":false,"own":{"fly":"q"}}}"#, "/console/keys/own/fly", "unknown"),
        (#"{"keys":{"own":{}}}"#, "/console/keys", "missing"),
    ])
    func `choices that cannot be are refused with rule and place, and nothing is stored`(
        _ console: String, _ pointer: String, _ rule: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await Self.choose(console, in: server, by: owner)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.text)")
        #expect(answer["errors"]?[0]?["rule"]?.string == "request-" + rule, "\(answer.text)")
        let session = try await server.get("/api/session", by: owner)
        #expect(session["preferences"]?["console"]?.isNull == true)
    }

    @Test(arguments: [
        // Keys that were free until a later program gave them to actions of its own.
        (
            #"{"isOff":false,"own":{"close":"t","reply":"c"}}"#,
            #"{"own":{"close":"t","takeOver":"","reply":"c"},"isOff":false}"#
        ),
        (#"{"isOff":true,"own":{"fly":"q","note":"N"}}"#, #"{"own":{"note":"N"},"isOff":true}"#),
        (#"{"isOff":true,"own":{"note":"no key"}}"#, #"{"own":{},"isOff":true}"#),
        ("7", "null"),
    ])
    func `what another program stored costs an agent no other choice`(
        _ keys: String, _ read: String
    ) async throws {
        let stored = """
            {"sound":false,"later":1,"notices":{"mine":false,"moon":true},\
            "quiet":{"isOn":true,"from":"20:00","until":"07:30"},"keys":\(keys)}
            """
        let choices = ConsoleChoices(stored: Array(stored.utf8))
        #expect(choices.claims == [.sound: false])
        #expect(choices.notices == [.mine: false])
        #expect(choices.quiet?.isOn == true && choices.quiet?.until == "07:30")
        let expected = try #require(JSONValue.parsed(Array(read.utf8)))
        #expect(choices.keys?.isOff == expected["isOff"]?.bool)
        for (action, key) in choices.keys?.own ?? [:] where !action.hasPrefix("kind.") {
            #expect(expected["own"]?[action]?.string == key, "\(action)")
        }
        // What was read can be chosen again.
        let text = try #require(JSONValue.parsed(choices.json))
        _ = try ConsoleChoices(text)
    }
}
