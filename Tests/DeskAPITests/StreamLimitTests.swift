import APITestSupport
import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb
import Synchronization
import Testing

@testable import DeskAPI

/// Limits of a stream: how long, how often; at the limit and just beyond it.
struct StreamLimitTests {
    private static let upgrade: HeaderFields = [
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    /// A socket that was opened and has said nothing, and a line that notes what it is sent.
    private static func socket(
        _ server: TestServer, by caller: TestServer.Caller
    ) async throws -> (any SteppedStream, StepDriver, TestReader) {
        let answer = try await server.get("/api/live", by: caller, headers: upgrade)
        guard case .socketSteps(let stream) = answer.response.body else {
            throw Problem(.invalid, "no socket")
        }
        let reader = TestReader()
        return (stream, StepDriver(time: server.time.source) { reader.take($0) }, reader)
    }

    @Test func `a socket's first frame has ten seconds`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let (stream, line, _) = try await Self.socket(server, by: key)
        #expect(await stream.step(.opened, on: line) == .upTo(.seconds(10)))
        server.time.advance(by: .milliseconds(9_999))
        #expect(await stream.step(.due, on: line) == .upTo(.milliseconds(1)))
        server.time.advance(by: .milliseconds(1))
        #expect(await stream.step(.due, on: line) == .over(code: 1008))
    }

    @Test func `streams end while nothing can be read, and others are refused until it can`()
        async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let (stream, line, _) = try await Self.socket(server, by: key)
        _ = await stream.step(.opened, on: line)
        let hello = StreamCause.message(.text(#"{"type":"hello","after":null}"#))
        guard case .upTo = await stream.step(hello, on: line) else {
            throw Problem(.invalid, "no stream")
        }
        server.services.streams.pause(true)
        #expect(await stream.step(.due, on: line) == .over(code: 1013))
        for path in ["/api/live", "/api/events"] {
            let refused = try await server.get(path, by: key, headers: Self.upgrade)
            #expect(refused.status == 503, "\(path)")
            #expect(refused.response.headers.first("retry-after") == "5", "\(path)")
        }
        server.services.streams.pause(false)
        _ = try await Self.socket(server, by: key)
    }

    @Test func `a socket's frames have a burst of forty and ten a second`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let conversation = try await server.makeConversation()
        let typing = #"{"type":"typing","conversation":"\#(conversation.id)","state":"start"}"#
        // Frame number `last` is none: where it is read it ends the session, where it is dropped not.
        func isRead(_ last: Int, afterOneSecond later: Int = 0) async throws -> Bool {
            let (stream, line, _) = try await Self.socket(server, by: key)
            func say(_ text: String) async -> StepResult {
                await stream.step(.message(.text(text)), on: line)
            }
            _ = await stream.step(.opened, on: line)
            _ = await say(#"{"type":"hello","after":null}"#)
            for _ in 0..<(last - 2) { _ = await say(typing) }
            if later > 0 {
                server.time.advance(by: .seconds(1))
                for _ in 0..<(later - 1) { _ = await say(typing) }
            }
            let rest = await say("nonsense")
            _ = await stream.step(.ending, on: line)
            return rest == .over(code: 1008)
        }
        #expect(try await isRead(40))
        #expect(try await isRead(41) == false)
        #expect(try await isRead(42, afterOneSecond: 10))
        #expect(try await isRead(42, afterOneSecond: 11) == false)
    }

    @Test func `an event stream's heart beats after 25 quiet seconds and not before`() async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.get("/api/events", by: key)
        guard case .steps(let stream) = answer.response.body else { return }
        let reader = TestReader()
        let line = StepDriver(time: server.time.source) { reader.take($0) }
        #expect(await stream.step(.opened, on: line) == .upTo(.seconds(25)))
        let before = reader.text
        server.time.advance(by: .milliseconds(24_999))
        #expect(await stream.step(.due, on: line) == .upTo(.milliseconds(1)))
        #expect(reader.text == before)
        server.time.advance(by: .milliseconds(1))
        _ = await stream.step(.due, on: line)
        #expect(reader.text.dropFirst(before.count).hasPrefix(":"))
        _ = await stream.step(.ending, on: line)
    }

    /// The clocks of streams that begin now, of a key.
    private static func clocks(
        _ count: Int, _ server: TestServer, _ key: TestServer.Caller
    ) async throws -> [StreamClock] {
        guard case .key(let text) = key else { return [] }
        let request = try Request(
            method: .get, target: "/api/events", headers: ["Authorization": "Bearer \(text)"],
            body: [], host: TestServer.host, peer: Peer(address: "192.0.2.7", isLoopback: false))
        let authenticators = Authenticators(services: server.services)
        let watch = PrincipalWatch(
            request: request,
            principal: try await authenticators.key.authenticate(request)?.principal,
            authorizer: RequestAuthorizer(
                services: server.services, authenticators: authenticators))
        return (0..<count).map { _ in StreamClock(services: server.services, watch: watch) }
    }

    @Test func `a stream lives 15 minutes, a fifth more or less`() async throws {
        let server = try await TestServer()
        var clocks = try await Self.clocks(
            200, server, try await server.makeKey([server.business]))
        func ended() async -> Int {
            var count = 0
            for index in clocks.indices where await clocks[index].judge() == .life { count += 1 }
            return count
        }
        server.time.advance(by: .seconds(12 * 60) - .milliseconds(1))
        #expect(await ended() == 0)
        server.time.advance(by: .seconds(3 * 60))
        #expect((1..<200).contains(await ended()))
        server.time.advance(by: .seconds(3 * 60) + .milliseconds(1))
        #expect(await ended() == 200)
    }

    @Test func `a reader's right is looked at again after a minute and not before`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        var clock = try #require(try await Self.clocks(1, server, key).first)
        let id = try #require(try await server.store.keys().first?.id)
        _ = try await server.services.keys.revoke(id, author: .server)
        server.time.advance(by: .milliseconds(59_999))
        #expect(await clock.judge() == nil)
        server.time.advance(by: .milliseconds(1))
        #expect(await clock.judge() == .notAllowed)
    }
}
