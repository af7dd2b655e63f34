import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb

extension MCPTool {
    static let writing: [MCPTool] = [draftReply, sendMessage]

    private static let wordsSchema = words(
        "What to say, for a message of words; instead of `message`.", most: 20_000)

    private static func refusal(_ sentence: String) -> Result {
        Result(["error": .string(sentence)], isError: true)
    }

    private static let draftReply = MCPTool(
        name: "draft_reply", title: "Draft a reply",
        description: """
            Suggests an answer in a conversation. It appears in the console, where an agent sends, edits or rejects \
            it; the customer sees nothing of it before. The message is judged by the rulebook first.
            """,
        permission: .suggestReplies, effect: .suggests,
        properties: [
            ("conversation", conversationSchema), ("text", wordsSchema), ("message", messageSchema),
            (
                "remark",
                words(
                    "What the agent should know about it, such as why. The customer never sees it.",
                    most: Suggestion.maximumRemarkBytes)
            ),
        ], required: ["conversation"]
    ) { call in
        guard let message = call.message else { return refusal("Say text or message.") }
        guard !call.hasTwoMessages else {
            return refusal("Found both text and message, and did nothing. Say one of them.")
        }
        return Result(
            await call.own.ask(
                .post, call.conversationPath + "/suggestions",
                body: JSON.object([
                    ("payload", .raw(message)), ("remark", .optional(call.text("remark"))),
                ]).bytes()))
    }

    private static let sendMessage = MCPTool(
        name: "send_message", title: "Send a message",
        description: """
            Sends a message to a customer at once; it cannot be taken back. Prefer draft_reply unless a person has \
            said that it is to be sent. Give the same idempotency_key when you try again.
            """,
        permission: .sendMessages, effect: .sends,
        properties: [
            ("conversation", conversationSchema), ("text", wordsSchema), ("message", messageSchema),
            (
                "idempotency_key",
                [
                    "type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$",
                    "description": "The same for each try of one message: it is sent once.",
                ]
            ),
        ], required: ["conversation"]
    ) { call in
        guard let message = call.message else { return refusal("Say text or message.") }
        guard !call.hasTwoMessages else {
            return refusal("Found both text and message, and did nothing. Say one of them.")
        }
        return Result(
            await call.own.ask(
                .post, call.conversationPath + "/messages", body: message,
                idempotencyKey: call.text("idempotency_key")))
    }
}
