import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct NoteRouteTests {
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let member: TestServer.Caller
        let memberID: AgentID
        let path: String

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            member = try await server.makeMember(
                "ben@example.com", .agent, of: server.business, by: owner)
            memberID = try await server.agentID(of: member)
            path = "/api/conversations/\(try await server.makeConversation().id)"
        }

        func add(_ body: String) async throws -> Answer {
            try await server.post(path + "/notes", body, by: owner)
        }

        func mention() async throws -> Answer {
            try await add(#"{"text":"@Ben look","mentions":["\#(memberID)"]}"#)
        }
    }

    @Test func `a note mentions members, whom the answer names`() async throws {
        let setting = try await Setting()
        let note = try await setting.mention()
        #expect(note.status == 201)
        #expect(note["mentions"]?[0]?["id"]?.string == setting.memberID.text)
        #expect(note["mentions"]?[0]?["name"]?.string == "Ben")
        #expect(note["editedAt"]?.isNull == true)
        let listed = try await setting.server.get(setting.path + "/messages", by: setting.owner)
        #expect(listed["notes"]?[0]?["mentions"]?.count == 1)
    }

    @Test(arguments: [
        #"{"text":"a","mentions":["8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"]}"#,
        #"{"text":"a","mentions":["ben"]}"#, #"{"text":"a","mentions":"ben"}"#,
        #"{"text":"a","mentions":[1]}"#, #"{"mentions":[]}"#,
    ])
    func `a note that mentions no member is refused and not stored`(body: String) async throws {
        let setting = try await Setting()
        let answer = try await setting.add(body)
        #expect(answer.code == "invalid")
        let listed = try await setting.server.get(setting.path + "/messages", by: setting.owner)
        #expect(listed["notes"]?.count == 0)
    }

    @Test func `a text with U+0000 is refused with its place, whatever the store`() async throws {
        let setting = try await Setting()
        let answer = try await setting.add(#"{"text":"a\u0000b"}"#)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?[0]?["pointer"]?.string == "/text")
        #expect(answer["errors"]?[0]?["found"]?.string == "the character U+0000")
    }

    @Test func `someone who left cannot be mentioned, and the place of the mistake is named`()
        async throws
    {
        let setting = try await Setting()
        _ = try await setting.server.services.broker.changeMember(
            setting.memberID, of: setting.server.business.id, to: nil, by: .server, permitted: [],
            handling: setting.server.services.handlingRoles)
        let answer = try await setting.mention()
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?[0]?["pointer"]?.string == "/mentions/0")
    }

    @Test func `an author edits and deletes the own notes, and others do not`() async throws {
        let setting = try await Setting()
        let id = try #require(try await setting.mention()["id"]?.string)
        let path = setting.path + "/notes/" + id
        func change(_ body: String, by caller: TestServer.Caller) async throws -> Answer {
            try await setting.server.send(.patch, path, body, by: caller)
        }
        #expect(try await change(#"{"text":"b"}"#, by: setting.member).code == "forbidden")
        #expect(
            try await setting.server.send(.delete, path, by: setting.member).code == "forbidden")
        let edited = try await change(#"{"text":"b"}"#, by: setting.owner)
        #expect(edited.status == 200)
        #expect(edited["text"]?.string == "b")
        #expect(edited["editedAt"]?.string != nil)
        #expect(edited["mentions"]?.count == 0)
        let deleted = try await setting.server.send(.delete, path, by: setting.owner)
        #expect(deleted.status == 200)
        #expect(deleted["text"]?.string == "")
        #expect(deleted["deletedAt"]?.string != nil)
        #expect(try await change(#"{"text":"c"}"#, by: setting.owner).code == "note_deleted")
        let unknown = setting.path + "/notes/8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"
        #expect(
            try await setting.server.send(.delete, unknown, by: setting.owner).code == "not_found")
    }

    @Test func `a mention is in the mentioned one's list until that one has read`() async throws {
        let setting = try await Setting()
        _ = try await setting.server.makeConversation()
        _ = try await setting.mention()
        func list(_ caller: TestServer.Caller, _ query: String = "") async throws -> Answer {
            try await setting.server.get(
                "/api/conversations?filter=mentions" + query, by: caller)
        }
        let mine = try await list(setting.member)
        #expect(mine["data"]?.count == 1)
        #expect(mine["data"]?[0]?["mentioned"]?.bool == true)
        #expect(mine["counts"]?["mentions"]?.int == 1)
        #expect(mine["counts"]?["waiting"]?["count"]?.int == 1)
        #expect(try await list(setting.member, "&state=closed")["data"]?.count == 0)
        #expect(try await list(setting.owner)["data"]?.count == 0)
        #expect(
            try await setting.server.post(
                setting.path + "/read", #"{"sequence":1}"#, by: setting.member
            ).status == 204)
        let seen = try await list(setting.member)
        #expect(seen["data"]?.count == 1)
        #expect(seen["data"]?[0]?["mentioned"]?.bool == false)
        #expect(seen["counts"]?["mentions"]?.int == 0)
        let key = try await setting.server.makeKey([setting.server.business])
        #expect(try await list(key).code == "invalid")
    }
}
