import DeskCommandLine
import DeskHTTP
import DeskJSON
import Synchronization
import TestSupport
import Testing

@testable import frontdesk

struct MCPCommandTests {
    /// A server that answers each message with what a test makes of it.
    private final class AnsweringServer: OutgoingClient {
        private let asked = Mutex<[OutgoingRequest]>([])
        private let answer: @Sendable (JSONValue?) -> (Int, String)?

        init(_ answer: @escaping @Sendable (JSONValue?) -> (Int, String)?) { self.answer = answer }

        var requests: [OutgoingRequest] { asked.withLock { $0 } }

        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            asked.withLock { $0.append(request) }
            guard case .bytes(let body) = request.body, let made = answer(JSONValue.parsed(body))
            else { throw OutgoingError(.connection, "away") }
            return OutgoingAnswer(
                status: Status(made.0), body: RequestBody(Array(made.1.utf8)))
        }

        func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            try await send(request)
        }
    }

    /// A server that answers all but one request, for which it waits until the connection is closed.
    private final class WaitingServer: OutgoingClient {
        private let state = Mutex((bodies: [String](), waiting: 0, closed: 0))

        var bodies: [String] { state.withLock { $0.bodies } }
        var waiting: Int { state.withLock { $0.waiting } }
        var closed: Int { state.withLock { $0.closed } }

        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            guard case .bytes(let body) = request.body, let root = JSONValue.parsed(body) else {
                throw OutgoingError(.connection, "no message")
            }
            state.withLock { $0.bodies.append(root.rawText) }
            if root["id"]?.string == "slow" {
                state.withLock { $0.waiting += 1 }
                // Safe: the count says how the wait ended.
                try? await Wait.until("the connection is closed") { Task.isCancelled }
                if Task.isCancelled { state.withLock { $0.closed += 1 } }
                throw OutgoingError(.connection, "closed")
            }
            guard let id = root["id"] else {
                return OutgoingAnswer(status: .accepted, body: RequestBody([]))
            }
            let answer = #"{"jsonrpc":"2.0","id":\#(id.rawText),"result":{}}"#
            return OutgoingAnswer(status: .ok, body: RequestBody(Array(answer.utf8)))
        }

        func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            try await send(request)
        }
    }

    /// What the program writes for these lines.
    private static func run(
        _ lines: [InputLines.Line], _ server: AnsweringServer
    ) async -> [JSONValue] {
        let rest = Mutex(lines[...])
        let written = Mutex<[[UInt8]]>([])
        await MCPForwarder(RemoteServer(url: "http://desk", key: "fd_test", client: server))
            .run {
                rest.withLock { $0.popFirst() }
            } write: { line in
                written.withLock { $0.append(line) }
            }
        return written.withLock { $0 }.compactMap { JSONValue.parsed($0) }
    }

    private static func line(_ text: String) -> InputLines.Line { .whole(Array(text.utf8)) }

    @Test func `messages are forwarded with the revision that was agreed on`() async throws {
        let server = AnsweringServer { message in
            message?["id"] == nil
                ? (202, "")
                : (200, #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}"#)
        }
        let answers = await Self.run(
            [
                Self.line(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#),
                Self.line(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
                Self.line(#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#),
            ], server)
        #expect(answers.count == 2)
        let versions = server.requests.map { $0.headers.first("mcp-protocol-version") }
        #expect(versions[0] == nil && versions.dropFirst().allSatisfy { $0 == "2025-06-18" })
        #expect(server.requests.allSatisfy { $0.url == "http://desk/mcp" })
        #expect(
            server.requests.allSatisfy { $0.headers.first("authorization") == "Bearer fd_test" })
    }

    @Test func `a message that says what it is gets the fields that a client over HTTP sends`() {
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        func fields(_ method: String, _ params: String) -> [String: String] {
            let text =
                #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)\#(meta)}}"#
            let fields = MCPForwarder.fields(of: JSONValue.parsed(Array(text.utf8)), agreed: "x")
            return Dictionary(uniqueKeysWithValues: fields)
        }
        #expect(
            fields("tools/list", "")
                == ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"])
        #expect(fields("tools/call", #""name":"draft_reply","#)["Mcp-Name"] == "draft_reply")
        #expect(
            fields("resources/read", #""uri":"frontdesk://rules/","#)["Mcp-Name"]
                == "frontdesk://rules/")
        #expect(fields("tools/call", #""name":"茶","#)["Mcp-Name"] == "=?base64?6Iy2?=")
        #expect(fields("tools/call", #""name":"a\nb","#)["Mcp-Name"] == "=?base64?YQpi?=")
    }

    @Test func `refusals and failures are answered in the protocol's form, on one line`()
        async throws
    {
        let server = AnsweringServer { message in
            switch message?["id"]?.string {
            case "away": nil
            case "refused": (401, #"{"title":"No valid credential","detail":"Sign in."}"#)
            case "page": (502, "<html>")
            default: (200, "{\"jsonrpc\":\"2.0\",\n\"id\":\"good\",\n\"result\":{}}")
            }
        }
        let answers = await Self.run(
            [
                Self.line(#"{"jsonrpc":"2.0","id":"away","method":"ping"}"#),
                Self.line(#"{"jsonrpc":"2.0","id":"refused","method":"ping"}"#),
                Self.line(#"{"jsonrpc":"2.0","id":"page","method":"ping"}"#),
                Self.line("  "), .tooLong,
                Self.line(#"{"jsonrpc":"2.0","id":"good","method":"ping"}"#),
            ], server)
        func answer(_ id: String) -> JSONValue? {
            answers.first { $0["id"]?.string == id }
        }
        #expect(answers.count == 5 && server.requests.count == 4)
        #expect(answer("away")?["error"]?["message"]?.string?.contains("does not answer") == true)
        #expect(answer("refused")?["error"]?["message"]?.string == "Sign in.")
        #expect(answer("page")?["error"]?["code"]?.int == -32603)
        #expect(answer("good")?["result"] != nil && answer("good")?.rawText.contains("\n") == false)
        #expect(
            answers.contains { $0["id"]?.isNull == true && $0["error"]?["code"]?.int == -32600 })
    }

    @Test(
        arguments: [
            (
                #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":"b","method":"ping"}]"#,
                2
            ),
            (#"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}]"#, nil),
            ("[]", nil), (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, nil),
        ] as [(String, Int?)])
    func `each request of an array is answered where the server refuses the whole`(
        line: String, count: Int?
    ) async throws {
        let server = AnsweringServer { _ in (401, #"{"detail":"Sign in."}"#) }
        let answers = await Self.run([Self.line(line)], server)
        #expect(answers.count == (count == nil ? 0 : 1))
        #expect(answers.first?.count == count)
        for error in answers.first?.elements.map({ $0 }) ?? [] {
            #expect(error["error"]?["message"]?.string == "Sign in." && error["id"] != nil)
        }
    }

    @Test func `a request that the assistant cancels ends, and nothing is written for it`()
        async throws
    {
        let server = WaitingServer()
        let cancelling =
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}"#
        let rest = Mutex(
            [
                Self.line(#"{"jsonrpc":"2.0","id":"slow","method":"tools/call"}"#),
                Self.line(cancelling), Self.line(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            ][...])
        let written = Mutex<[[UInt8]]>([])
        await MCPForwarder(RemoteServer(url: "http://desk", key: "fd_test", client: server))
            .run {
                if rest.withLock({ $0.count }) < 3 {
                    // Safe: without it the counts below are others.
                    try? await Wait.until("the first one waits") { server.waiting == 1 }
                }
                return rest.withLock { $0.popFirst() }
            } write: { line in
                written.withLock { $0.append(line) }
            }
        let answers = written.withLock { $0 }.compactMap { JSONValue.parsed($0) }
        #expect(answers.count == 1 && answers.first?["id"]?.int == 1)
        // The server hears of it too: its work ends there.
        #expect(server.closed == 1 && server.bodies.contains(cancelling))
        #expect(server.bodies.count == 3)
    }

    @Test func `answers are written one after the other, each whole`() async throws {
        let server = AnsweringServer { message in
            (200, #"{"jsonrpc":"2.0","id":\#(message?["id"]?.int ?? 0),"result":{}}"#)
        }
        let lines = (1...200).map { Self.line(#"{"jsonrpc":"2.0","id":\#($0),"method":"ping"}"#) }
        let rest = Mutex(lines[...])
        let writers = Mutex((now: 0, most: 0, written: 0))
        await MCPForwarder(RemoteServer(url: "http://desk", key: "fd_test", client: server))
            .run {
                rest.withLock { $0.popFirst() }
            } write: { _ in
                writers.withLock { $0.now += 1 }
                // Long enough for another to come.
                for _ in 0..<500 { writers.withLock { $0.most = max($0.most, $0.now) } }
                writers.withLock {
                    $0.now -= 1
                    $0.written += 1
                }
            }
        let (most, written) = writers.withLock { ($0.most, $0.written) }
        #expect(most == 1 && written == 200)
    }

    @Test func `lines are split however they come, and a long one is passed over whole`() {
        let text = Array("one\r\n\ntwo\n\(String(repeating: "x", count: 9))\nlast".utf8)
        let expected: [InputLines.Line] = [
            Self.line("one"), Self.line(""), Self.line("two"), .tooLong, Self.line("last"),
        ]
        func split(_ pieces: [ArraySlice<UInt8>]) -> [InputLines.Line] {
            var splitter = LineSplitter(limit: 8)
            var lines: [InputLines.Line] = []
            for piece in pieces { lines += splitter.split(piece) }
            return lines + (splitter.end().map { [$0] } ?? [])
        }
        #expect(split([text[...]]) == expected)
        #expect(split(text.indices.map { text[$0...$0] }) == expected)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let place = Int.random(in: 0...text.count, using: &random)
            #expect(split([text[..<place], text[place...]]) == expected, "seed \(seed)")
        }
    }
}
