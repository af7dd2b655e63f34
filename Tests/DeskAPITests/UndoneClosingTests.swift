import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// To undo a closing brings the customer's waiting back.
struct UndoneClosingTests {
    private static func conversation(
        _ id: ConversationID, in server: TestServer, by caller: TestServer.Caller
    ) async throws -> Answer {
        try await server.get("/api/conversations/\(id)", by: caller)
    }

    private static func change(
        _ id: ConversationID, _ body: String, in server: TestServer, by caller: TestServer.Caller
    ) async throws -> Answer {
        try await server.send(.patch, "/api/conversations/\(id)", body, by: caller)
    }

    @Test func `who undoes a closing of one or of many has the customers wait again`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let began = try #require(one.waitingSince)
        server.time.advance(by: .seconds(60))
        _ = try await Self.change(one.id, #"{"state":"closed"}"#, in: server, by: owner)
        let waiting = "/api/conversations?filter%5Bwaiting%5D=true"
        #expect(try await server.get(waiting, by: owner)["data"]?.count == 0)
        var back = try await Self.change(
            one.id, #"{"state":"open","undoClose":true}"#, in: server, by: owner)
        #expect(back["waitingSince"]?.string == began.text, "\(back.text)")
        #expect(try await server.get(waiting, by: owner)["data"]?.count == 1)
        let bulk = "/api/conversations/bulk"
        let done = try await server.post(
            bulk, #"{"conversations":["\#(one.id)"],"change":{"state":"closed"}}"#, by: owner)
        let undo = try #require(done["data"]?[0]?["undo"])
        let undone = try await server.post(
            bulk,
            #"{"changes":[{"conversation":"\#(one.id)","change":\#(undo.rawText)}]}"#,
            by: owner)
        #expect(undone["data"]?[0]?["status"]?.int == 200, "\(undone.text)")
        back = try await Self.conversation(one.id, in: server, by: owner)
        #expect(back["waitingSince"]?.string == began.text, "\(back.text)")
        let thread = try await server.get("/api/conversations/\(one.id)/messages", by: owner)
        let closing = thread["events"]?.elements.first {
            $0["type"]?.string == "conversation.closed"
        }
        let ended = closing?["data"]?["change"]?["waiting"]
        #expect(ended?["since"]?.string == began.text, "\(thread.text)")
        #expect(ended?["answerDue"]?.isNull == true)
    }

    @Test(arguments: [
        #"{"undoClose":true}"#, #"{"state":"closed","undoClose":true}"#,
        #"{"state":"open","undoClose":"2026-06-01T00:00:00Z"}"#,
    ])
    func `no moment is accepted, and nothing is undone without the state of before`(
        _ body: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let answer = try await Self.change(one.id, body, in: server, by: owner)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer["errors"]?[0]?["pointer"]?.string == "/undoClose", "\(answer.text)")
    }
}
