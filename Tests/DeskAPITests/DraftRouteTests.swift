import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct DraftRouteTests {
    private static func path(_ conversation: Conversation) -> String {
        "/api/conversations/\(conversation.id)/draft"
    }

    @Test func `a draft is saved, read and deleted by its agent alone`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let member = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let conversation = try await server.makeConversation()
        let path = Self.path(conversation)
        #expect(try await server.get(path, by: owner).code == "not_found")
        let saved = try await server.send(
            .put, path,
            #"{"version":0,"kind":"list","text":"Good mor","content":{"rows":[1, 2]}}"#, by: owner)
        #expect(saved.status == 200)
        let version = try #require(saved["version"]?.int)
        let read = try await server.get(path, by: owner)
        #expect(read["text"]?.string == "Good mor")
        #expect(read["kind"]?.string == "list")
        #expect(
            read["content"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
                == #"{"rows":[1, 2]}"#)
        #expect(try await server.get(path, by: member).code == "not_found")
        let marks = try await server.get("/api/drafts", by: owner)
        #expect(marks["data"]?.elements.first { _ in true }?["version"]?.int == version)
        #expect(try await server.get("/api/drafts", by: member)["data"]?.count == 0)
        #expect(
            try await server.get("/api/drafts?business=\(server.other.id)", by: owner)["data"]?
                .count == 0)
        let row = try await server.get("/api/conversations", by: owner)["data"]?.elements.first {
            _ in true
        }
        #expect(row?["draft"]?["text"]?.string == "Good mor")
        let one = try await server.get("/api/conversations/\(conversation.id)", by: owner)
        #expect(one["draft"]?["version"]?.int == version)
        let theirs = try await server.get("/api/conversations", by: member)["data"]?.elements.first
        { _ in true }
        #expect(theirs?["draft"]?.isNull == true)
        let key = try await server.makeKey([server.business])
        let bare = try await server.get("/api/conversations", by: key)["data"]?.elements.first {
            _ in true
        }
        #expect(bare != nil && bare?["draft"] == nil)
        #expect(
            try await server.send(.delete, path + "?version=\(version)", by: owner).status == 204)
        #expect(try await server.send(.delete, path, by: owner).status == 204)
        #expect(try await server.get(path, by: owner).code == "not_found")
    }

    @Test func `a second device does not overwrite what it has not seen`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = Self.path(try await server.makeConversation())
        func save(_ version: Int, _ text: String) async throws -> Answer {
            try await server.send(
                .put, path, #"{"version":\#(version),"kind":"text","text":"\#(text)"}"#, by: owner)
        }
        let first = try #require(try await save(0, "phone")["version"]?.int)
        let refused = try await save(0, "desk")
        #expect(refused.status == 409)
        #expect(refused.code == "draft_conflict")
        #expect(refused["current"]?["text"]?.string == "phone")
        let second = try #require(try await save(first, "desk")["version"]?.int)
        #expect(second > first)
        let stale = try await server.send(.delete, path + "?version=\(first)", by: owner)
        #expect(stale.code == "draft_conflict")
        _ = try await server.send(.delete, path, by: owner)
        let gone = try await save(second, "again")
        #expect(gone.code == "draft_conflict")
        #expect(gone["current"]?.isNull == true)
    }

    @Test(arguments: [
        #"{"kind":"text","text":"a"}"#, #"{"version":0,"text":"a"}"#,
        #"{"version":0,"kind":"text"}"#,
        #"{"version":-1,"kind":"text","text":"a"}"#, #"{"version":0,"kind":"a b","text":"a"}"#,
        #"{"version":0,"kind":"text","text":"a","content":[]}"#,
        #"{"version":0,"kind":"text","text":"a","more":1}"#,
    ])
    func `a draft that breaks a rule is refused and not saved`(body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = Self.path(try await server.makeConversation())
        #expect(try await server.send(.put, path, body, by: owner).code == "invalid")
        #expect(try await server.get(path, by: owner).code == "not_found")
    }

    @Test func `an agent has so many drafts and not one more`() async throws {
        let server = try await TestServer { $0.draftsPerAgent = 2 }
        let owner = try await server.makeOwner()
        func save() async throws -> Answer {
            try await server.send(
                .put, Self.path(try await server.makeConversation()),
                #"{"version":0,"kind":"text","text":"a"}"#, by: owner)
        }
        #expect(try await save().status == 200)
        #expect(try await save().status == 200)
        #expect(try await save().code == "invalid")
    }

    @Test func `a draft is deleted after its days and not before`() async throws {
        let server = try await TestServer { $0.draftDays = 1 }
        let agent = try await server.agentID(of: try await server.makeOwner())
        let conversation = try await server.makeConversation()
        let housekeeping = try await Housekeeping(services: server.services)
        _ = try await server.store.save(
            Draft(
                agent: agent, business: server.business.id, conversation: conversation.id,
                version: 0, savedAt: server.time.now, kind: "text", text: "a", content: nil),
            over: 0, atMost: 1)
        server.time.advance(by: .seconds(86_400))
        try await housekeeping.forget()
        #expect(try await server.store.findDraft(of: agent, in: conversation.id) != nil)
        server.time.advance(by: .milliseconds(1))
        try await housekeeping.forget()
        #expect(try await server.store.findDraft(of: agent, in: conversation.id) == nil)
    }

    @Test func `a draft goes with its message, and stays beside another`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = Self.path(conversation)
        let messages = "/api/conversations/\(conversation.id)/messages"
        let saved = try await server.send(
            .put, path, #"{"version":0,"kind":"text","text":"a"}"#, by: owner)
        let version = try #require(saved["version"]?.int)
        let message = #"{"type":"text","body":"a"}"#
        #expect(try await server.post(messages, message, by: owner).status == 201)
        #expect(try await server.get(path, by: owner).status == 200)
        #expect(
            try await server.post(messages + "?draft=\(version)", message, by: owner).status == 201)
        #expect(try await server.get(path, by: owner).code == "not_found")
        #expect(try await server.post(messages + "?draft=x", message, by: owner).code == "invalid")
        let key = try await server.makeKey([server.business])
        #expect(try await server.post(messages + "?draft=1", message, by: key).code == "invalid")
    }
}
