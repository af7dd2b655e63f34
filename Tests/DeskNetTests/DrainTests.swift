import DeskHTTP
import DeskLog
import DeskNet
import Foundation
import Synchronization
import Testing

/// The deadlines of a drain at their defaults, by a clock that moves only when it is advanced.
struct DrainTests {
    /// How late a deadline may fire: the loop looks at them ten times a second.
    private static let late = Duration.milliseconds(201)
    private static let long = Duration.seconds(1_000_000_000)

    /// A server under a drain: it accepts no connection that could show that its loop has come
    /// round.
    private final class Stage: Sendable {
        let server: Server
        let clock: StillClock
        let metrics: Metrics
        private let isOver = Atomic(false)

        init(server: Server, clock: StillClock, metrics: Metrics) {
            self.server = server
            self.clock = clock
            self.metrics = metrics
        }

        /// Notes that the server has ended: no loop is left to go round.
        func finish() { isOver.store(true, ordering: .relaxed) }

        /// Waits until the loop has gone round, deadlines and all.
        func settle() {
            for _ in 0..<3 {
                let before = rounds
                while rounds == before, !isOver.load(ordering: .relaxed) {
                    // Asked again, since the server may have begun only now.
                    server.measureLag()
                    // The loop is another thread; its duration decides nothing.
                    Thread.sleep(forTimeInterval: 0.001)
                }
            }
        }

        /// The value of a gauge.
        func gauge(_ name: String) -> Int? {
            metrics.text().split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .flatMap { Int($0.dropFirst(name.count + 1)) }
        }

        private var rounds: String {
            metrics.text().split(separator: "\n").first {
                $0.hasPrefix("frontdesk_loop_lag_seconds_count")
            }.map(String.init) ?? ""
        }
    }

    /// Runs a server whose handlers go on until they are cut, and drains it when `open` has returned.
    private static func drain<Open: Sendable>(
        limits change: (inout ServerLimits) -> Void = { _ in },
        open: @escaping @Sendable (Server) throws -> Open,
        _ use: @escaping @Sendable (Open, Stage) throws -> Void
    ) async throws {
        var configuration = Server.Configuration(
            listen: [ListenAddress(host: "127.0.0.1", port: 0)])
        change(&configuration.limits)
        configuration.loops = 1
        let clock = StillClock()
        configuration.clock = { clock.now }
        let metrics = Metrics()
        let server = Server(
            configuration, handler: ClosureHandler(answer: answer), metrics: metrics)
        try server.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let stage = Stage(server: server, clock: clock, metrics: metrics)
            group.addTask {
                try await server.run()
                stage.finish()
            }
            let opened = try await blocking {
                let opened = try open(server)
                stage.settle()
                return opened
            }
            server.drain()
            try await blocking {
                stage.settle()
                try use(opened, stage)
                // A reader that still reads has its moment to end.
                stage.settle()
                clock.advance(by: .seconds(2))
            }
            // Everything is closed: the server ends by itself.
            try await group.waitForAll()
        }
    }

    @Sendable private static func answer(_ request: Request) async -> Response {
        if request.path.segments == ["now"] { return Response(text: "now") }
        guard request.path.segments == ["events"] else {
            // Safe: the wait ends by cancellation, and what is answered then is dropped.
            try? await Task.sleep(for: .seconds(600))
            return Response(text: "too late")
        }
        let isLong = request.query["last"] == "long"
        return Response(
            status: .ok,
            body: .stream { stream in
                // Safe: a reader that is gone needs no word; the sleep ends by cancellation.
                try? await stream.write("open")
                try? await Task.sleep(for: .seconds(600))
                let word = [UInt8](repeating: 0x61, count: isLong ? 50_000_000 : 4)
                try? await stream.write(word)
            })
    }

    private static func request(_ server: Server) throws -> TestClient {
        let client = try TestClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
    }

    private static func stream(_ server: Server, last: String = "short") throws -> TestClient {
        let client = try TestClient(port: server.port, receiveBuffer: 4096)
        try client.send("GET /events?last=\(last) HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receive(until: "open\r\n")
        return client
    }

    @Test(.timeLimit(.minutes(2)))
    func `a running request has ten seconds after a drain begins`() async throws {
        try await Self.drain(open: Self.request) { client, stage in
            stage.clock.advance(by: .milliseconds(9_999))
            stage.settle()
            #expect(client.isQuiet)
            stage.clock.advance(by: Self.late)
            let answer = try client.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `streams are ended over twenty seconds, not all at once and none later`() async throws {
        let open: @Sendable (Server) throws -> [TestClient] = { server in
            try (0..<40).map { _ in try Self.stream(server) }
        }
        try await Self.drain(open: open) { clients, stage in
            #expect(stage.gauge("frontdesk_streams_open") == 40)
            stage.clock.advance(by: .seconds(10))
            stage.settle()
            #expect((1..<40).contains(stage.gauge("frontdesk_streams_open") ?? 0))
            stage.clock.advance(by: .seconds(10) + Self.late)
            for client in clients {
                let words = try client.receiveAll()
                #expect(words.contains("aaaa"))
            }
            stage.settle()
            #expect(stage.gauge("frontdesk_streams_open") == 0)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a stream's last word has five seconds`() async throws {
        let limits: (inout ServerLimits) -> Void = { $0.drainStreams = .milliseconds(1) }
        try await Self.drain(limits: limits, open: { try Self.stream($0, last: "long") }) {
            client, stage in
            stage.clock.advance(by: Self.late)
            stage.settle()
            stage.clock.advance(by: .milliseconds(4_999))
            stage.settle()
            // It reads nothing, and is waited for.
            #expect(stage.gauge("frontdesk_streams_open") == 1)
            stage.clock.advance(by: Self.late)
            stage.settle()
            #expect(stage.gauge("frontdesk_streams_open") == 0)
            let count = try client.receiveBytes().count
            #expect(count < 50_000_000)
        }
    }

    private static func now(_ client: TestClient) throws -> Bool {
        try client.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.receive(until: "\r\n\r\nnow")
        return answer.hasPrefix("HTTP/1.1 200 ") && !answer.contains("Connection: close")
    }

    @Test(.timeLimit(.minutes(2)))
    func `while a stream drains, new and kept connections are served, then the listener closes`()
        async throws
    {
        let open: @Sendable (Server) throws -> (TestClient, TestClient) = { server in
            let kept = try TestClient(port: server.port)
            let isServed = try Self.now(kept)
            #expect(isServed)
            return (try Self.stream(server), kept)
        }
        try await Self.drain(open: open) { clients, stage in
            let (stream, kept) = clients
            stage.clock.advance(by: .milliseconds(1))
            for _ in 0..<3 {
                let isServed = try Self.now(kept)
                let isServedAnew = try Self.now(try TestClient(port: stage.server.port))
                #expect(isServed && isServedAnew)
            }
            stage.clock.advance(by: .seconds(20) + Self.late)
            let words = try stream.receiveAll()
            #expect(words.contains("aaaa"))
            // The stream was all that the drain waited for.
            let rest = try kept.receiveAll()
            #expect(rest == "")
            stage.settle()
            #expect(throws: (any Error).self) { try TestClient(port: stage.server.port) }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `without streams a drain waits for what runs, and for nothing that comes later`()
        async throws
    {
        try await Self.drain(open: Self.request) { first, stage in
            let later = try Self.request(stage.server)
            stage.settle()
            stage.clock.advance(by: .seconds(10) + Self.late)
            let answer = try first.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            stage.settle()
            #expect(later.isQuiet)
            stage.clock.advance(by: .milliseconds(700))
            stage.settle()
            #expect(later.isQuiet)
            stage.clock.advance(by: .milliseconds(300) + Self.late)
            let rest = try later.receiveAll()
            #expect(rest == "")
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `after thirty seconds everything is closed`() async throws {
        let limits: (inout ServerLimits) -> Void = { limits in
            limits.drainRequests = Self.long
            limits.drainStreams = Self.long
            limits.handlerTime = Self.long
        }
        let open: @Sendable (Server) throws -> [TestClient] = { server in
            [try Self.request(server), try Self.stream(server)]
        }
        try await Self.drain(limits: limits, open: open) { clients, stage in
            stage.clock.advance(by: .milliseconds(29_999))
            stage.settle()
            for client in clients { #expect(client.isQuiet) }
            stage.clock.advance(by: Self.late)
            for client in clients {
                let words = try client.receiveAll()
                #expect(words == "")
            }
        }
    }
}
