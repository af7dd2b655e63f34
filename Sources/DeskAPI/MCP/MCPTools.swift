import DeskJSON
import DeskWeb

extension MCPTool {
    /// Every tool, in the order in which clients show them.
    static let all: [MCPTool] = reading + checking + writing

    /// Most results of one call; a model reads no more at once.
    static let mostResults = 50

    // MARK: Schemas of arguments

    static func uuid(_ description: String) -> JSON {
        ["type": "string", "format": "uuid", "description": .string(description)]
    }

    static func words(_ description: String, most: Int = 1_000) -> JSON {
        [
            "type": "string", "minLength": 1, "maxLength": .integer(most),
            "description": .string(description),
        ]
    }

    static let conversationSchema = uuid("The conversation's id, as lists and searches have it.")
    static let businessSchema = uuid("Only this business; without it all that the key acts for.")
    static let limitSchema: JSON = [
        "type": "integer", "minimum": 1, "maximum": .integer(mostResults), "default": 20,
        "description": "How many results at most.",
    ]
    static let cursorSchema = words("What the last answer's `next` said, to go on behind it.")
    static let messageSchema: JSON = [
        "type": "object",
        "description": .string(
            "The message in the shape of Messages for Business, without id and addresses: for words "
                + "{\"type\":\"text\",\"body\":\"…\"}. The resources frontdesk://schemas/outbound/ "
                + "have a schema with examples for each kind."),
    ]

    /// `page[size]` of a call.
    static func size(_ call: Use) -> String { String(call.arguments["limit"]?.int ?? 20) }
}

extension MCPTool.Use {
    /// The path of a conversation that the arguments name.
    var conversationPath: String { "/api/conversations/\(text("conversation") ?? "")" }

    /// The message of the arguments as JSON text: `message`, or `text` as a message of words.
    var message: [UInt8]? {
        if let message = arguments["message"] { return Array(message.rawBytes) }
        guard let words = text("text") else { return nil }
        return JSON.object([("type", "text"), ("body", .string(words))]).bytes()
    }

    /// Whether the arguments have two messages, of which one would be lost.
    var hasTwoMessages: Bool { arguments["message"] != nil && arguments["text"] != nil }
}
