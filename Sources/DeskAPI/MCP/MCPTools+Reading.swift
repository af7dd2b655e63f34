import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb

extension MCPTool {
    static let reading: [MCPTool] = [
        searchMessages, listConversations, readConversation, findCustomer,
    ]

    /// Most businesses that one search for customers asks.
    private static let mostBusinesses = 20

    private static let searchMessages = MCPTool(
        name: "search_messages", title: "Search messages and customers",
        description: """
            Finds messages by their words, newest first, conversations by their customer's name, and \
            colleagues' notes, which no customer may read. Every word must occur.
            """,
        permission: .readConversations, effect: .reads,
        properties: [
            ("query", words("The words to look for.", most: 200)), ("business", businessSchema),
            ("limit", limitSchema), ("cursor", cursorSchema),
        ], required: ["query"]
    ) { call in
        Result(
            await call.own.ask(
                .get, "/api/search",
                query: [
                    ("q", call.text("query")), ("business", call.text("business")),
                    ("page[size]", size(call)), ("page[after]", call.text("cursor")),
                ]))
    }

    private static let listConversations = MCPTool(
        name: "list_conversations", title: "List conversations",
        description: """
            Lists conversations, those with the newest events first: who the customer is, the state, the \
            assignee, the last message, since when the customer waits.
            """,
        permission: .readConversations, effect: .reads,
        properties: [
            ("business", businessSchema),
            (
                "state",
                [
                    "enum": ["open", "pending", "snoozed", "closed", "any"], "default": "open",
                    "description": "Only conversations in this state.",
                ]
            ),
            (
                "waiting",
                [
                    "type": "boolean", "default": false,
                    "description": "Only those whose customer waits for an answer.",
                ]
            ),
            ("limit", limitSchema), ("cursor", cursorSchema),
        ], required: []
    ) { call in
        Result(
            await call.own.ask(
                .get, "/api/conversations",
                query: [
                    ("business", call.text("business")),
                    ("filter[state]", call.text("state") ?? "open"),
                    ("filter[waiting]", call.arguments["waiting"]?.bool == true ? "true" : nil),
                    ("page[size]", size(call)), ("page[after]", call.text("cursor")),
                ]))
    }

    private static let readConversation = MCPTool(
        name: "read_conversation", title: "Read a conversation",
        description: """
            Reads a conversation: who the customer is, its state, and its newest messages, oldest first, as \
            people read them. With `before` earlier ones; with `payloads` each message's whole JSON too. `isCut` says \
            that a long text is cut, or that a JSON is left out for its length.
            """,
        permission: .readConversations, effect: .reads,
        properties: [
            ("conversation", conversationSchema), ("limit", limitSchema),
            (
                "before",
                [
                    // A larger number is none of ours, and would be passed over.
                    "type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991,
                    "description": "Only messages before the one of this number.",
                ]
            ),
            (
                "payloads",
                [
                    "type": "boolean", "default": false,
                    "description": "Whether the messages' JSON is wanted too.",
                ]
            ),
        ], required: ["conversation"]
    ) { call in
        let conversation = await call.own.ask(.get, call.conversationPath)
        guard conversation.isSuccess else { return Result(conversation) }
        let page = await call.own.ask(
            .get, call.conversationPath + "/messages",
            query: [
                ("page[size]", size(call)),
                ("page[before]", call.arguments["before"]?.int.map(String.init)),
            ])
        guard page.isSuccess, let root = JSONValue.parsed(page.body) else { return Result(page) }
        return Result(
            MCPThread(root, withPayloads: call.arguments["payloads"]?.bool == true)
                .json(of: conversation.body))
    }

    private static let findCustomer = MCPTool(
        name: "find_customer", title: "Look up a customer",
        description: """
            Finds what is known of a customer: name, id in other systems, notes of colleagues, attributes. By \
            words of the name, or by the contact's id.
            """,
        permission: .readConversations, effect: .reads,
        properties: [
            ("name", words("Words of the customer's name.", most: 200)),
            ("contact", uuid("A contact's id, as conversations have it.")),
            ("business", businessSchema),
        ], required: []
    ) { call in
        let named = call.text("business").map { [$0] }
        let own = call.context.businesses.map(\.text).sorted()
        var found: [JSON] = []
        var isCut = named == nil && own.count > mostBusinesses
        for business in named ?? Array(own.prefix(mostBusinesses)) {
            let path = "/api/businesses/\(business)/contacts"
            if let contact = call.text("contact") {
                let answer = await call.own.ask(.get, "\(path)/\(contact)")
                if answer.isSuccess { return Result(answer) }
                if answer.status != 404 || named != nil { return Result(answer) }
                continue
            }
            guard let name = call.text("name") else {
                return Result(["error": "Say a name or a contact."], isError: true)
            }
            let answer = await call.own.ask(.get, path, query: [("q", name)])
            guard answer.isSuccess, let root = JSONValue.parsed(answer.body) else {
                return Result(answer)
            }
            isCut = isCut || root["hasMore"]?.bool == true
            found += (root["data"].map { Array($0.elements) } ?? []).map {
                .raw(Array($0.rawBytes))
            }
        }
        if call.text("contact") != nil {
            return Result(["error": "There is no such contact."], isError: true)
        }
        return Result([
            "data": .array(Array(found.prefix(mostResults))),
            "hasMore": .bool(isCut || found.count > mostResults),
        ])
    }
}

/// The messages of a conversation as a model reads them.
struct MCPThread {
    /// Bytes of messages after which earlier ones are left out.
    static let maximumBytes = 512 * 1_024
    /// Bytes of one message's text after which it is cut.
    static let maximumBytesOfText = 32 * 1_024

    private let page: JSONValue
    private let hasPayloads: Bool

    /// Reads a page of messages.
    init(_ page: JSONValue, withPayloads hasPayloads: Bool) {
        self.page = page
        self.hasPayloads = hasPayloads
    }

    /// The messages beside the conversation, which is JSON text.
    func json(of conversation: [UInt8]) -> JSON {
        var room = Self.maximumBytes
        var messages: [JSON] = []
        var isCut = false
        for message in (page["data"].map { Array($0.elements) } ?? []).reversed() {
            var one = json(message, withPayload: hasPayloads)
            if one.bytes().count > room, messages.isEmpty {
                // Without one message nothing would say where to go on.
                one = json(message, withPayload: false)
            }
            room -= one.bytes().count
            guard room >= 0 else {
                isCut = true
                break
            }
            messages.append(one)
        }
        return [
            "conversation": .raw(conversation), "messages": .array(messages.reversed()),
            "hasMore": .bool(isCut || page["hasMore"]?.bool == true),
        ]
    }

    private func json(_ message: JSONValue, withPayload isWanted: Bool) -> JSON {
        var members: [(String, JSON)] = []
        for name in [
            "id", "sequence", "direction", "kind", "time", "author", "inReplyTo", "choice",
            "erasedAt",
        ] {
            if let value = message[name] { members.append((name, .raw(Array(value.rawBytes)))) }
        }
        let pieces = message["payload"].map { ReadableText.pieces(of: $0) } ?? []
        let whole =
            pieces.isEmpty ? message["summary"]?.string ?? "" : pieces.joined(separator: "\n")
        let text = ReadableText.beginning(of: whole, bytes: Self.maximumBytesOfText)
        members.append(("text", .string(text)))
        if text.utf8.count < whole.utf8.count || hasPayloads && !isWanted {
            members.append(("isCut", true))
        }
        let files = message["attachments"].map { $0.elements.compactMap { $0["name"]?.string } }
        if let files, !files.isEmpty {
            members.append(("attachments", .array(files.map { .string($0) })))
        }
        if isWanted, let payload = message["payload"] {
            members.append(("payload", .raw(Array(payload.rawBytes))))
        }
        return .object(members)
    }
}
