import APITestSupport
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// Arguments of tools of which a part would be passed over.
struct MCPArgumentTests {
    private static func call(
        _ tool: String, _ arguments: String, _ server: TestServer
    ) async throws -> JSONValue {
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/mcp",
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#,
            by: key)
        return try #require(answer["result"], "\(answer.text)")
    }

    @Test(arguments: ["draft_reply", "send_message"])
    func `a call with both text and message does neither`(tool: String) async throws {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        let both = try await Self.call(
            tool,
            #"{"conversation":"\#(conversation.id.text)","text":"One.","message":{"type":"text","body":"Two."}}"#,
            server)
        #expect(both["isError"]?.bool == true, "\(both.rawText)")
        #expect(both.rawText.contains("Found both text and message"), "\(both.rawText)")
        #expect(try await server.messageCount(conversation) == 1)
        let waiting = try await server.store.suggestions(in: conversation.id)
        #expect(waiting.isEmpty)
    }

    @Test(arguments: [("null", false), ("{}", false), ("[]", true)])
    func `arguments that are null are none`(arguments: String, isRefused: Bool) async throws {
        let answer = try await Self.call("list_conversations", arguments, try await TestServer())
        #expect(answer["isError"]?.bool == isRefused, "\(answer.rawText)")
    }

    @Test func `a number of a message that is too large is refused, and not passed over`()
        async throws
    {
        let server = try await TestServer()
        let conversation = try await server.makeConversation()
        for (before, isRefused) in [("1" + String(repeating: "0", count: 30), true), ("2", false)] {
            let read = try await Self.call(
                "read_conversation",
                #"{"conversation":"\#(conversation.id.text)","before":\#(before)}"#, server)
            #expect(read["isError"]?.bool == isRefused, "\(read.rawText)")
        }
    }
}
