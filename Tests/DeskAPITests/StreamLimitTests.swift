import APITestSupport
import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb
import Synchronization
import Testing

@testable import DeskAPI

/// Limits of streams: how many, how long, how often; at the limit and just beyond it.
struct StreamLimitTests {
    private static let upgrade: HeaderFields = [
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    private static func principal() -> Principal {
        var random = SystemRandomNumberGenerator()
        return .sandbox(
            SandboxPrincipal(business: BusinessID(using: &random), hasCookie: true))
    }

    /// Acquires a lease; the refusal's code when there is none.
    private static func sit(
        _ book: StreamLimiter, _ principal: Principal, _ address: String,
        _ leases: inout [StreamLease]
    ) -> ProblemCode? {
        do throws(Problem) {
            leases.append(
                try book.acquire(principal, Peer(address: address, isLoopback: false)))
            return nil
        } catch { return error.code }
    }

    @Test func `a principal has 16 streams, whatever addresses they come from`() {
        let book = StreamLimiter(limits: WebLimits())
        let principal = Self.principal()
        var leases: [StreamLease] = []
        for number in 0..<16 {
            #expect(Self.sit(book, principal, "192.0.2.\(number)", &leases) == nil)
        }
        #expect(Self.sit(book, principal, "192.0.2.99", &leases) == .rateLimited)
        #expect(Self.sit(book, Self.principal(), "192.0.2.99", &leases) == nil)
    }

    private static func member(_ number: Int) -> Principal {
        let id = UniqueID(high: 0x4000, low: 1 << 63 | UInt64(number))
        return .key(KeyPrincipal(id: KeyID(id), name: "k", mode: .live, businesses: []))
    }

    @Test func `an address has 2,048 streams of members beside those of customers`() {
        let book = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        var refusals = 0
        // 200 people with two tabs each are far below it.
        for number in 0..<2_048 {
            let refusal = Self.sit(book, Self.member(number / 2), "2001:db8::\(number)", &leases)
            refusals += refusal == nil ? 0 : 1
        }
        #expect(refusals == 0)
        #expect(Self.sit(book, Self.member(5_000), "2001:db8::ffff", &leases) == .rateLimited)
        #expect(Self.sit(book, Self.principal(), "2001:db8::ffff", &leases) == nil)
    }

    @Test func `an address has 256 streams of customers, of any business`() {
        let book = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        for _ in 0..<256 {
            #expect(Self.sit(book, Self.principal(), "192.0.2.7", &leases) == nil)
        }
        #expect(Self.sit(book, Self.principal(), "::ffff:192.0.2.7", &leases) == .rateLimited)
        #expect(Self.sit(book, Self.principal(), "192.0.2.7", &leases) == .rateLimited)
        #expect(Self.sit(book, Self.principal(), "192.0.2.8", &leases) == nil)
        leases.removeFirst()
        #expect(Self.sit(book, Self.principal(), "192.0.2.7", &leases) == nil)
    }

    @Test func `there are 15,000 streams in all, and room again when one ends`() {
        let book = StreamLimiter(limits: WebLimits())
        var leases: [StreamLease] = []
        var refusals = 0
        for number in 0..<15_000 {
            let address = "192.0.\(number / 250).\(number % 250)"
            refusals += Self.sit(book, Self.principal(), address, &leases) == nil ? 0 : 1
        }
        #expect(refusals == 0)
        #expect(Self.sit(book, Self.principal(), "198.51.100.1", &leases) == .unavailable)
        leases.removeLast()
        #expect(Self.sit(book, Self.principal(), "198.51.100.1", &leases) == nil)
    }

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
