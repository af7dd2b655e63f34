import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import Testing

@testable import DeskAPI

/// The stream and the WebSocket with what narrows them.
struct FilteredStreamTests {
    /// Steps a stream until it waits, and gives what it wrote, block by block.
    private static func blocks(
        _ server: TestServer, _ query: String, by caller: TestServer.Caller,
        _ use: (StepDriver, any SteppedStream) async throws -> Void = { _, _ in }
    ) async throws -> [String] {
        let answer = try await server.get(
            "/api/events?" + query.replacing("[", with: "%5B").replacing("]", with: "%5D"),
            by: caller)
        guard case .steps(let stream) = answer.response.body else {
            Issue.record("\(answer.status) \(answer.text)")
            return []
        }
        let reader = TestReader()
        let line = StepDriver(time: server.time.source) { reader.take($0) }
        _ = await stream.step(.opened, on: line)
        try await use(line, stream)
        _ = await stream.step(.ending, on: line)
        return reader.text.split(separator: "\n\n").map(String.init)
            .filter { !$0.hasPrefix("retry:") }
    }

    private static func heads(_ blocks: [String]) -> [String] {
        blocks.map { block in
            let lines = block.split(separator: "\n").filter { !$0.hasPrefix("data:") }
            return lines.joined(separator: " ")
        }
    }

    @Test func `a stream has what fits, and ids that lead past what does not`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        _ = try await server.services.broker.change(one.id, .close, by: .server)
        _ = try await server.makeConversation()
        let blocks = try await Self.blocks(
            server, "after=7-0&filter[type]=conversation.closed", by: key
        ) { line, stream in
            _ = try await server.makeConversation()
            _ = await stream.step(.due, on: line)
            server.time.advance(by: .seconds(25))
            _ = await stream.step(.due, on: line)
            server.time.advance(by: .seconds(25))
            _ = await stream.step(.due, on: line)
        }
        #expect(
            Self.heads(blocks) == [
                "id: 7-3 event: conversation.closed", "id: 7-5 event: live", "id: 7-7", ": ",
            ])
    }

    @Test func `of 300 events in a row that do not fit the last one's id is sent`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        for _ in 0..<150 {
            _ = try await server.services.broker.change(one.id, .close, by: .server)
            _ = try await server.services.broker.change(one.id, .reopen, by: .server)
        }
        let blocks = try await Self.blocks(
            server, "after=7-0&filter[direction]=outbound", by: key)
        #expect(Self.heads(blocks) == ["id: 7-300", "id: 7-302 event: live"])
    }

    @Test func `the last id of a stream that comes back goes before the cursor in its address`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        _ = try await server.makeConversation()
        let answer = try await server.get(
            "/api/events?after=7-0", by: key, headers: ["Last-Event-ID": "7-1"])
        guard case .steps(let stream) = answer.response.body else {
            Issue.record("\(answer.status)")
            return
        }
        let reader = TestReader()
        let line = StepDriver(time: server.time.source) { reader.take($0) }
        _ = await stream.step(.opened, on: line)
        _ = await stream.step(.ending, on: line)
        #expect(!reader.text.contains("id: 7-1\n") && reader.text.contains("id: 7-2\n"))
    }

    @Test func `a stream has no limit and no cursor that is none, and says what to send`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let limited = try await server.get("/api/events?limit=9", by: key)
        #expect(limited.status == 422)
        #expect(
            limited["errors"]?[0]?["fix"]?.string
                == "Send Accept: application/json for a page, or leave limit out.")
        #expect(try await server.get("/api/events?after=x", by: key).status == 422)
        for accept in ["text/event-stream", "*/*", "application/json, text/event-stream"] {
            let answer = try await server.get("/api/events", by: key, headers: ["Accept": accept])
            #expect(answer.headers["content-type"] == "text/event-stream", "\(accept)")
            #expect(answer.headers["vary"] == "Accept")
        }
    }

    @Test func `a WebSocket has what fits, and is refused with a filter that is none`() async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let one = try await server.makeConversation()
        _ = try await server.services.broker.change(one.id, .close, by: .server)
        let query = "?filter%5Btype%5D=conversation.closed"
        try await StreamTests.converse(server, by: key, query: query) { socket in
            socket.say(#"{"type":"hello","after":"7-0"}"#)
            let heard = await socket.heard(2)
            #expect(heard.map { $0["type"]?.string } == ["conversation.closed", "live"])
        }
        let refused = try await server.get(
            "/api/live?filter%5Btype%5D=x", by: key, headers: StreamTests.upgrade)
        #expect(refused.status == 422)
    }

    /// A filter's query, and which signals come through: of the conversation, of another, of none.
    private static let signals: [(String, [Bool])] = [
        ("", [true, true, true]),
        ("filter[type]=message.accepted", [false, false, false]),
        ("filter[type]=message.accepted,ephemeral", [true, true, true]),
        ("filter[type]=ephemeral", [true, true, true]),
        ("filter[direction]=inbound", [false, false, false]),
        ("filter[conversation]=ONE", [true, false, false]),
    ]

    @Test func `signals come unless types or a direction are asked for without them`() async throws
    {
        let server = try await TestServer()
        let one = try await server.makeConversation()
        let other = try await server.makeConversation()
        for (text, expected) in Self.signals {
            let request = try Request(
                method: .get,
                target: "/api/events?"
                    + text.replacing("ONE", with: one.id.text)
                    .replacing("[", with: "%5B").replacing("]", with: "%5D"),
                headers: [:], body: [], host: TestServer.host,
                peer: Peer(address: "192.0.2.7", isLoopback: false))
            let filter = try EventFilter(request.query, takesSignals: true)
            let places: [ConversationID?] = [one.id, other.id, nil]
            let passed = places.map { place in
                filter.includes(
                    Signal(
                        kind: .typing, business: server.business.id, conversation: place,
                        who: .server, state: .start))
            }
            #expect(passed == expected, "\(text)")
        }
    }
}
