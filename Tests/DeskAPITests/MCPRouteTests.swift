import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The Model Context Protocol at `/mcp`, message by message.
struct MCPRouteTests {
    /// A server, a key and one conversation.
    private struct Setting {
        let server: TestServer
        let key: TestServer.Caller
        let conversation: Conversation

        init() async throws {
            server = try await TestServer()
            key = try await server.makeKey([server.business])
            conversation = try await server.makeConversation()
        }

        /// Sends a message of the last revision with a handshake.
        func ask(
            _ method: String, _ params: String = "{}", id: String = "1",
            version: String? = "2025-11-25"
        ) async throws -> Answer {
            var headers: HeaderFields = ["Accept": "application/json, text/event-stream"]
            if let version { headers.append("MCP-Protocol-Version", version) }
            return try await server.post(
                "/mcp",
                #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#,
                by: key, headers: headers)
        }

        /// Calls a tool; its answer as JSON.
        func call(_ tool: String, _ arguments: String) async throws -> JSONValue {
            let answer = try await ask(
                "tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
            return try #require(answer["result"], "\(answer.text)")
        }

        var id: String { conversation.id.text }
    }

    private static let all = [
        "search_messages", "list_conversations", "read_conversation", "find_customer",
        "validate_message", "lint_message", "fix_message", "preview_message", "draft_reply",
        "send_message",
    ]

    // MARK: The protocol

    @Test(arguments: [
        ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("9999-99-99", "2025-11-25"),
    ])
    func `a handshake agrees on the revision that the client wants, or on the newest with one`(
        wanted: String, agreed: String
    ) async throws {
        let setting = try await Setting()
        let answer = try await setting.ask(
            "initialize",
            #"{"protocolVersion":"\#(wanted)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#,
            version: nil)
        #expect(answer.status == 200)
        #expect(answer["result"]?["protocolVersion"]?.string == agreed)
        #expect(answer["result"]?["capabilities"]?["tools"]?.kind == .object)
        #expect(answer["result"]?["serverInfo"]?["name"]?.string == "frontdesk")
        let ready = try await setting.server.post(
            "/mcp", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, by: setting.key)
        #expect(ready.status == 202 && ready.bytes.isEmpty)
        #expect(try await setting.ask("ping", id: "\"a\"")["result"]?.count == 0)
    }

    @Test func `a request without a handshake says in fields and body what it is`() async throws {
        let setting = try await Setting()
        func ask(
            _ method: String, _ params: String = "", fields: HeaderFields, meta: String? = nil
        ) async throws -> Answer {
            let stated =
                meta
                ?? #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
            return try await setting.server.post(
                "/mcp",
                #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)"_meta":\#(stated)}}"#,
                by: setting.key, headers: fields)
        }
        let version = "2026-07-28"
        func fields(_ method: String, _ name: String? = nil) -> HeaderFields {
            var fields: HeaderFields = ["MCP-Protocol-Version": version, "Mcp-Method": method]
            if let name { fields.append("Mcp-Name", name) }
            return fields
        }
        let found = try await ask("server/discover", fields: fields("server/discover"))
        #expect(found["result"]?["resultType"]?.string == "complete")
        #expect(found["result"]?["supportedVersions"]?.count == 4)
        #expect(found["result"]?["cacheScope"]?.string == "private")
        let listed = try await ask("tools/list", fields: fields("tools/list"))
        #expect(listed["result"]?["tools"]?.count == Self.all.count)
        #expect(listed["result"]?["ttlMs"]?.int == 60_000)
        let call = #""name":"list_conversations","arguments":{},"#
        let called = try await ask(
            "tools/call", call, fields: fields("tools/call", "list_conversations"))
        #expect(called["result"]?["isError"]?.bool == false)
        let coded = try await ask(
            "tools/call", call,
            fields: fields("tools/call", "=?base64?bGlzdF9jb252ZXJzYXRpb25z?="))
        #expect(coded["result"]?["isError"]?.bool == false)
        for (wrong, code) in [
            (try await ask("tools/list", fields: fields("tools/call")), -32020),
            (
                try await ask("tools/call", call, fields: fields("tools/call", "send_message")),
                -32020
            ),
            (try await ask("tools/call", call, fields: fields("tools/call")), -32020),
            (try await ask("tools/list", fields: fields("tools/list"), meta: "{}"), -32602),
        ] {
            #expect(wrong.status == 400 && wrong["error"]?["code"]?.int == code, "\(wrong.text)")
        }
        let gone = try await ask("ping", fields: fields("ping"))
        #expect(gone.status == 404 && gone["error"]?["code"]?.int == -32601)
    }

    @Test func `a revision that is not spoken is refused with those that are`() async throws {
        let setting = try await Setting()
        let answer = try await setting.ask("tools/list", version: "1999-01-01")
        #expect(answer.status == 400)
        #expect(answer["error"]?["code"]?.int == -32022)
        let supported = answer["error"]?["data"]?["supported"]?.elements.compactMap(\.string)
        #expect(supported?.contains("2025-06-18") == true)
    }

    @Test(arguments: [
        (#"7"#, "7"), (#""a""#, #""a""#), ("{}", "null"), ("[1]", "null"), ("true", "null"),
        ("\"\(String(repeating: "a", count: 255))\"", "null"),
    ])
    func `a refusal repeats an id that is one, and nothing else`(id: String, repeated: String)
        async throws
    {
        let setting = try await Setting()
        let answer = try await setting.server.post(
            "/mcp", #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#, by: setting.key,
            headers: ["MCP-Protocol-Version": "1999-01-01"])
        #expect(answer.status == 400)
        #expect(answer["id"].map { String(decoding: $0.rawBytes, as: UTF8.self) } == repeated)
    }

    @Test(arguments: [
        ("{", -32700), ("[]", -32600), ("1", -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"id":1,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
    ])
    func `what is no message is refused in the protocol's form`(body: String, code: Int)
        async throws
    {
        let setting = try await Setting()
        let answer = try await setting.server.post("/mcp", body, by: setting.key)
        #expect(answer.status == 400 && answer["error"]?["code"]?.int == code, "\(answer.text)")
    }

    @Test func `an array is for the first revision, and has so many messages and not one more`()
        async throws
    {
        let setting = try await Setting()
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        func send(_ count: Int, _ version: String) async throws -> Answer {
            try await setting.server.post(
                "/mcp", "[\(Array(repeating: ping, count: count).joined(separator: ","))]",
                by: setting.key, headers: ["MCP-Protocol-Version": version])
        }
        let full = try await send(MCPRoutes.maximumBatch, "2025-03-26")
        #expect(full.status == 200 && full.document?.root.count == MCPRoutes.maximumBatch)
        #expect(try await send(MCPRoutes.maximumBatch + 1, "2025-03-26").status == 400)
        #expect(try await send(2, "2025-06-18").status == 400)
    }

    @Test func `only a key connects, and no page of another site`() async throws {
        let setting = try await Setting()
        let owner = try await setting.server.makeOwner()
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        let server = setting.server
        #expect(try await server.post("/mcp", ping).status == 401)
        #expect(try await server.post("/mcp", ping, by: owner).status == 403)
        #expect(
            try await server.post("/mcp", ping, by: .key("fd_test_wrong_key")).status == 401)
        for (origin, status) in [
            (TestServer.origin, 200), ("http://evil.example", 403), ("null", 403),
        ] {
            let answer = try await server.post(
                "/mcp", ping, by: setting.key, headers: ["Origin": origin])
            #expect(answer.status == status, "\(origin)")
        }
    }

    // MARK: Tools

    @Test func `the tools are listed with schemas, and wrong arguments are explained`() async throws
    {
        let setting = try await Setting()
        let listed = try #require(try await setting.ask("tools/list")["result"]?["tools"])
        #expect(listed.elements.compactMap { $0["name"]?.string } == Self.all)
        for tool in listed.elements {
            #expect(tool["inputSchema"]?["type"]?.string == "object")
            #expect((tool["description"]?.string?.count ?? 0) > 40)
            let sends = tool["name"]?.string == "send_message"
            #expect(tool["annotations"]?["destructiveHint"]?.bool == sends)
        }
        for arguments in [
            "{}", #"{"query":7}"#, #"{"query":"a","more":1}"#, #"{"query":"a","limit":51}"#,
        ] {
            let wrong = try await setting.call("search_messages", arguments)
            #expect(wrong["isError"]?.bool == true, "\(arguments)")
            #expect(wrong["content"]?[0]?["text"]?.string?.contains("allowed") == true)
        }
        let unknown = try await setting.ask("tools/call", #"{"name":"drop_tables"}"#)
        #expect(unknown["error"]?["code"]?.int == -32602)
    }

    @Test func `a conversation is read, and its customer looked up`() async throws {
        let setting = try await Setting()
        let thread = try await setting.call(
            "read_conversation", #"{"conversation":"\#(setting.id)"}"#)
        let read = thread["structuredContent"]
        #expect(read?["conversation"]?["id"]?.string == setting.id)
        #expect(read?["messages"]?[0]?["text"]?.string == "Hello")
        #expect(read?["messages"]?[0]?["payload"] == nil)
        let whole = try await setting.call(
            "read_conversation", #"{"conversation":"\#(setting.id)","payloads":true}"#)
        #expect(
            whole["structuredContent"]?["messages"]?[0]?["payload"]?["body"]?.string == "Hello")
        let contact = try #require(read?["conversation"]?["contact"]?["id"]?.string)
        let found = try await setting.call("find_customer", #"{"contact":"\#(contact)"}"#)
        #expect(found["structuredContent"]?["id"]?.string == contact)
        let none = try await setting.call("find_customer", #"{"name":"nobody"}"#)
        #expect(none["structuredContent"]?["data"]?.count == 0)
        #expect(none["structuredContent"]?["hasMore"]?.bool == false)
        let foreign = try await setting.server.makeConversation(setting.server.other)
        let refused = try await setting.call(
            "read_conversation", #"{"conversation":"\#(foreign.id)"}"#)
        #expect(refused["isError"]?.bool == true)
        let list = try await setting.call("list_conversations", #"{"state":"any"}"#)
        #expect(list["structuredContent"]?["data"]?.count == 1)
        #expect(list["content"]?[0]?["text"]?.string?.contains(setting.id) == true)
    }

    @Test func `a payload is validated, linted, fixed and previewed`() async throws {
        let setting = try await Setting()
        let good = try await setting.call(
            "validate_message", #"{"message":{"type":"text","body":"Tea."}}"#)
        #expect(good["structuredContent"]?["kind"]?.string == "text")
        let bad = try await setting.call("validate_message", #"{"message":{"type":"text"}}"#)
        #expect(bad["isError"]?.bool == true)
        #expect(bad["content"]?[0]?["text"]?.string?.contains("pointer") == true)
        let lint = try await setting.call(
            "lint_message", #"{"text":"08:00 sent {\"type\":\"text\",\"body\":\"Tea\"}"}"#)
        #expect(lint["structuredContent"]?["diagnosis"]?["isHealthy"]?.bool == false)
        let fixed = try await setting.call(
            "fix_message", #"{"text":"{\"type\":\"text\",\"body\":\"Tea\",\"v\":\"1\"}"}"#)
        let text = fixed["structuredContent"]?["text"]?.string ?? ""
        #expect(fixed["structuredContent"]?["accepted"]?.bool == true, "\(text)")
        #expect(JSONValue.parsed(Array(text.utf8))?["v"]?.int == 1)
        let preview = try await setting.call(
            "preview_message", #"{"message":{"type":"text","body":"Green tea"}}"#)
        #expect(preview["structuredContent"]?["lines"]?[0]?.string == "Green tea")
        #expect(try await setting.server.messageCount(setting.conversation) == 1)
    }

    @Test func `a draft waits for an agent, and only a send is sent, and once`() async throws {
        let setting = try await Setting()
        let draft = try await setting.call(
            "draft_reply",
            #"{"conversation":"\#(setting.id)","text":"Your tea is ready.","remark":"Packed."}"#)
        #expect(draft["isError"]?.bool == false, "\(draft.rawText)")
        #expect(try await setting.server.messageCount(setting.conversation) == 1)
        let waiting = try await setting.server.store.suggestions(in: setting.conversation.id)
        #expect(waiting.map(\.summary) == ["Your tea is ready."])
        #expect(waiting.first?.remark == "Packed." && waiting.first?.model == nil)
        let arguments =
            #"{"conversation":"\#(setting.id)","text":"Ready.","idempotency_key":"k-1"}"#
        for _ in 0..<2 {
            let sent = try await setting.call("send_message", arguments)
            #expect(sent["isError"]?.bool == false, "\(sent.rawText)")
        }
        #expect(try await setting.server.messageCount(setting.conversation) == 2)
        let broken = try await setting.call(
            "draft_reply", #"{"conversation":"\#(setting.id)","message":{"type":"text"}}"#)
        #expect(broken["isError"]?.bool == true)
        let empty = try await setting.call("draft_reply", #"{"conversation":"\#(setting.id)"}"#)
        #expect(empty["isError"]?.bool == true)
    }

    @Test func `a key that may not send neither sees the tool nor uses it`() async throws {
        let server = try await TestServer(isDescribed: false)
        let key = try await server.makeKey(
            [server.business], scopes: KeyScopes.all.subtracting(.send))
        let conversation = try await server.makeConversation()
        let list = try await server.post(
            "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, by: key)
        let names = list["result"]?["tools"]?.elements.compactMap { $0["name"]?.string }
        #expect(names?.contains("draft_reply") == true)
        #expect(names?.contains("send_message") == false)
        let called = try await server.post(
            "/mcp",
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message","arguments":{"conversation":"\#(conversation.id)","text":"Hi"}}}"#,
            by: key)
        #expect(called["error"]?["code"]?.int == -32602)
        #expect(try await server.messageCount(conversation) == 1)
    }

    @Test func `a key that reads and suggests may validate`() async throws {
        let server = try await TestServer(isDescribed: false)
        let key = try await server.makeKey([server.business], scopes: [.read, .suggest])
        let called = try await server.post(
            "/mcp",
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_message","arguments":{"message":{"type":"text","body":"Tea."}}}}"#,
            by: key)
        #expect(called["result"]?["isError"]?.bool == false, "\(called.text)")
    }

    // MARK: Resources

    @Test func `resources are listed page by page, and each that is listed can be read`()
        async throws
    {
        let setting = try await Setting()
        let template =
            #"{"business":"\#(setting.server.business.id)","name":"ready","title":"Ready","description":"","payload":{"type":"text","body":"Ready."},"parameters":[]}"#
        let published = try await setting.server.post(
            "/api/templates", template, by: setting.key)
        #expect(published.status == 201, "\(published.text)")
        var uris: [String] = []
        var cursor: String?
        repeat {
            let params = cursor.map { #"{"cursor":"\#($0)"}"# } ?? "{}"
            let page = try #require(try await setting.ask("resources/list", params)["result"])
            uris += page["resources"]?.elements.compactMap { $0["uri"]?.string } ?? []
            cursor = page["nextCursor"]?.string
        } while cursor != nil && uris.count < 1_000
        #expect(Set(uris).count == uris.count)
        for uri in [
            "frontdesk://schemas/outbound/list-picker.json", "frontdesk://events/message.accepted",
            "frontdesk://rules/", "frontdesk://templates/\(setting.server.business.id)/ready",
        ] {
            #expect(uris.contains(uri), "\(uri)")
        }
        for uri in uris where !uri.contains("/rules/") || uri.hasSuffix("/") {
            let read = try await setting.ask("resources/read", #"{"uri":"\#(uri)"}"#)
            let content = read["result"]?["contents"]?[0]
            #expect(content?["uri"]?.string == uri)
            #expect((content?["text"]?.string?.count ?? 0) > 20, "\(uri)")
        }
        for uri in [
            "frontdesk://schemas/../web/index.html", "frontdesk://templates/x/y",
            "file:///etc/passwd",
            "frontdesk://templates/\(setting.server.other.id)/ready",
        ] {
            let read = try await setting.ask("resources/read", #"{"uri":"\#(uri)"}"#)
            #expect(read["error"]?["code"]?.int == -32002, "\(uri)")
        }
        for cursor in [#""x""#, "7", "{}"] {
            let refused = try await setting.ask("resources/list", "{\"cursor\":\(cursor)}")
            #expect(refused["error"]?["code"]?.int == -32602, "\(cursor)")
        }
        for none in ["null", "{}", #"{"cursor":null}"#] {
            let first = try await setting.ask("resources/list", none)
            #expect((first["result"]?["resources"]?.count ?? 0) > 0, "\(none)")
        }
        let forms = try await setting.ask("resources/templates/list")
        #expect(forms["result"]?["resourceTemplates"]?.count == 4)
    }

    @Test func `what a tool does is counted with what the key does by itself`() async throws {
        let server = try await TestServer(limits: {
            $0.web.keyMessagesBurst = 2
            $0.web.keyMessagesPerSecond = 1
        })
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        var errors: [Bool] = []
        for _ in 0..<3 {
            let answer = try await server.post(
                "/mcp",
                #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message","arguments":{"conversation":"\#(conversation.id)","text":"Hi"}}}"#,
                by: key)
            errors.append(answer["result"]?["isError"]?.bool ?? true)
        }
        #expect(errors == [false, false, true])
    }
}
