import DeskAPI
import DeskBytes
import DeskCommandLine
import DeskHTTP
import DeskJSON
import DeskNet
import Synchronization

/// `frontdesk mcp`: passes an assistant's messages on to a server, one on each line.
enum MCPCommand {
    /// 0 when the input ended, 2 when the command line was wrong.
    static func run(_ parsed: Parsed) async -> Int32 {
        let forwarder: MCPForwarder
        do throws(UsageError) {
            forwarder = MCPForwarder(try RemoteServer(parsed, client: CurlClient(reach: .anywhere)))
        } catch {
            Output.complain(error)
            return 2
        }
        let lines = InputLines(upTo: MCPForwarder.maximumLineBytes)
        await forwarder.run {
            await lines.next()
        } write: {
            Output.write($0 + [0x0A], to: .standard)
        }
        return 0
    }
}

/// Forwards messages to `/mcp`, several at once, and writes each answer when it comes.
actor MCPForwarder {
    /// Longest message in bytes; a longer one is answered with an error.
    static let maximumLineBytes = 4 * 1_024 * 1_024
    /// Messages that are under way at once; the next ones wait.
    private static let mostAtOnce = 8

    private let server: RemoteServer
    /// What `initialize` agreed on; nil before it, and with clients that say it in each message.
    private var version: String?
    /// By the ids of the messages, as they are written.
    private let requests = RequestsUnderWay<[UInt8]>()

    init(_ server: RemoteServer) { self.server = server }

    /// Forwards until the input ends, and waits for the last answers.
    ///
    /// Order: answers are written when they come, one whole answer after the other.
    func run(
        _ next: @escaping @Sendable () async -> InputLines.Line?,
        write writeAnswer: @escaping @Sendable ([UInt8]) -> Void
    ) async {
        let output = Mutex(())
        let write: @Sendable ([UInt8]) -> Void = { answer in
            // A long answer is written in parts, and no other may come between them.
            output.withLock { _ in writeAnswer(answer) }
        }
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            while let line = await next() {
                let bytes: [UInt8]
                switch line {
                case .whole(let text): bytes = text
                case .tooLong:
                    write(Self.error(-32600, "The message is too long.", id: nil).bytes())
                    continue
                }
                guard bytes.contains(where: { $0 > 0x20 }) else { continue }
                if Self.isHandshake(bytes) {
                    // What it agrees on is part of every later message.
                    if let answer = await forward(bytes) { write(answer) }
                    continue
                }
                let root = JSONValue.parsed(bytes)
                if let cancelled = Self.cancelledID(of: root) { requests.cancel(cancelled) }
                if underWay == Self.mostAtOnce {
                    await group.next()
                    underWay -= 1
                }
                underWay += 1
                // Noted before the next line is read, which may cancel it.
                let entry = requests.begin(Self.id(of: root))
                group.addTask {
                    let answer = await self.requests.run(entry) { await self.forward(bytes) }
                    if case .some(.some(let text)) = answer { write(text) }
                }
            }
        }
    }

    /// The answer to a message; nil for one that has none.
    func forward(_ message: [UInt8]) async -> [UInt8]? {
        let root = JSONValue.parsed(message)
        let fields = Self.fields(of: root, agreed: version)
        let answer: (status: Status, body: [UInt8])
        do {
            answer = try await server.exchange(.post, "/mcp", headers: fields, body: message)
        } catch {
            return Self.failure(of: root, "The server does not answer: \(error)")
        }
        if root?["method"]?.equals("initialize") == true {
            version = JSONValue.parsed(answer.body)?["result"]?["protocolVersion"]?.string
        }
        if answer.status == .accepted { return nil }
        guard let value = JSONValue.parsed(answer.body) else {
            return Self.failure(of: root, "The server answered \(answer.status.code).")
        }
        // A problem document: the key was refused, or too much was asked.
        if value.kind == .object, value["jsonrpc"] == nil {
            let reason = value["detail"]?.string ?? "The server answered \(answer.status.code)."
            return Self.failure(of: root, reason)
        }
        // One line, whatever white space the server wrote.
        return answer.body.filter { $0 != 0x0A && $0 != 0x0D }
    }

    /// The header fields that go with a message: what a client over HTTP would repeat there.
    static func fields(of root: JSONValue?, agreed: String?) -> [(String, String)] {
        let stated = root?["params"]?["_meta"]?["io.modelcontextprotocol/protocolVersion"]?.string
        var fields: [(String, String)] = []
        if let version = stated ?? agreed, isPlain(version) {
            fields.append(("MCP-Protocol-Version", version))
        }
        guard stated != nil, let method = root?["method"]?.string, isPlain(method) else {
            return fields
        }
        fields.append(("Mcp-Method", method))
        let params = root?["params"]
        let name =
            method == "resources/read" ? params?["uri"]?.string : params?["name"]?.string
        if let name, ["tools/call", "resources/read", "prompts/get"].contains(method) {
            fields.append(("Mcp-Name", isPlain(name) ? name : encoded(name)))
        }
        return fields
    }

    private static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != 0x20
            && bytes.last != 0x20 && !text.hasPrefix("=?base64?")
    }

    private static func encoded(_ text: String) -> String {
        "=?base64?\(Base64.encode(Array(text.utf8)))?="
    }

    /// The id of a request as it is written; empty for a message that has none.
    private static func id(of root: JSONValue?) -> [UInt8] {
        guard root?["method"] != nil, let id = root?["id"] else { return [] }
        return Array(id.rawBytes)
    }

    /// The id of the request that a message cancels, which no answer is written to any more.
    private static func cancelledID(of root: JSONValue?) -> [UInt8]? {
        guard let root, root["method"]?.equals("notifications/cancelled") == true,
            let id = root["params"]?["requestId"], id.kind == .string || id.kind == .number
        else { return nil }
        return Array(id.rawBytes)
    }

    private static func isHandshake(_ message: [UInt8]) -> Bool {
        JSONValue.parsed(message)?["method"]?.equals("initialize") == true
    }

    /// The error for a request, and for each request of an array; nil where none wants an answer.
    private static func failure(of message: JSONValue?, _ reason: String) -> [UInt8]? {
        guard let message else { return nil }
        let isBatch = message.kind == .array
        // A response wants no answer.
        let errors = (isBatch ? Array(message.elements) : [message])
            .filter { $0["method"] != nil }
            .compactMap { $0["id"] }.map { error(-32603, reason, id: $0) }
        guard isBatch else { return errors.first?.bytes() }
        return errors.isEmpty ? nil : JSON.array(errors).bytes()
    }

    private static func error(_ code: Int, _ message: String, id: JSONValue?) -> JSON {
        .object([
            ("jsonrpc", "2.0"), ("id", id.map { .raw(Array($0.rawBytes)) } ?? .null),
            ("error", ["code": .integer(code), "message": .string(message)]),
        ])
    }
}
