import DeskCrypto
import DeskHTTP
import DeskNet
import Testing

/// Every deadline at its default: just before it nothing happens, just after it what is stated.
///
/// The server's clock moves only when a test moves it.
struct DeadlineTableTests {
    /// How late a deadline may fire: the loop looks at them ten times a second.
    private static let late = Duration.milliseconds(201)

    @Sendable private static func answer(_ request: Request) async -> Response {
        switch request.path.segments.first {
        case "patient":
            request.peer.allowHandlerTime(.seconds(30))
            // Safe: the wait ends by cancellation.
            try? await Task.sleep(for: .seconds(600))
            return Response(text: "too late")
        case "slow":
            // Safe: the wait ends by cancellation.
            try? await Task.sleep(for: .seconds(600))
            return Response(text: "too late")
        case "flood":
            return Response(
                status: .ok, body: .bytes([UInt8](repeating: 0x61, count: 50_000_000)))
        case "socket": return Response(status: .switchingProtocols, body: .socketSteps(Silent()))
        default: break
        }
        do throws(BodyError) {
            return Response(type: "text/plain", try await request.body.collect(upTo: 100_000_000))
        } catch { return .refusal(error) }
    }

    private struct Silent: SteppedStream {
        func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
            .upTo(.seconds(100_000))
        }
    }

    /// A request on a connection of its own: when it is answered the loop has seen all that came before.
    private static func settle(_ server: Server) throws {
        for _ in 0..<2 {
            let client = try TestClient(port: server.port)
            try client.send("GET /settle HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try client.receiveAll()
        }
    }

    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "

    /// The limit's name, what is sent, what is read before, what comes at the end.
    private static let rows: [(limit: String, sent: String, before: String, end: String)] = [
        ("first-byte", "", "", ""),
        ("keep-alive-idle", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\n", ""),
        ("head-complete", "GET / HTTP/1.1\r\nHost: ", "", "HTTP/1.1 408 Request Timeout\r\n"),
        ("body-complete", post + "9\r\n\r\nabc", "", "HTTP/1.1 408 Request Timeout\r\n"),
        // The largest body that still is a small one has 1 MiB.
        ("body-complete", post + "1048576\r\n\r\nabc", "", "HTTP/1.1 408 Request Timeout\r\n"),
        ("upload-window", post + "1048577\r\n\r\nabc", "", "HTTP/1.1 408 Request Timeout\r\n"),
        (
            "handler-time", "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", "",
            "HTTP/1.1 503 Service Unavailable\r\n"
        ),
        (
            "heartbeat",
            "GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            "\r\n\r\n", "\u{FFFD}\0"
        ),
    ]

    private static func time(of limit: String) throws -> Duration {
        let text = try #require(ServerLimits().text(of: limit))
        return .seconds(try #require(Int(text.dropLast())))
    }

    @Test(arguments: rows.indices)
    func `a deadline holds to its end and no longer`(row: Int) async throws {
        let (limit, sent, before, end) = Self.rows[row]
        let time = try Self.time(of: limit)
        let clock = StillClock()
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.answer) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(sent)
                if !before.isEmpty { _ = try client.receive(until: before) }
                try Self.settle(server)
                clock.advance(by: time - .milliseconds(1))
                try Self.settle(server)
                #expect(client.isQuiet, "\(limit) came before its time")
                clock.advance(by: Self.late)
                if limit == "heartbeat" {
                    #expect(try client.receive(exactly: 2) == [0x89, 0])
                    // The ping stays unanswered: the connection ends when the pong is due.
                    try Self.settle(server)
                    clock.advance(by: try Self.time(of: "pong") - Self.late)
                    try Self.settle(server)
                    #expect(client.isQuiet)
                    clock.advance(by: Self.late + Self.late)
                    #expect(try client.receive() == [])
                } else {
                    let all = try client.receiveAll()
                    #expect(all.hasPrefix(end) && all.isEmpty == end.isEmpty, "\(limit): \(all)")
                }
            }
        }
    }

    @Test func `a handler that may wait for its turn has that much more time and no more`()
        async throws
    {
        let clock = StillClock()
        let time = try Self.time(of: "handler-time") + .seconds(30)
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.answer) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET /patient HTTP/1.1\r\nHost: a\r\n\r\n")
                try Self.settle(server)
                clock.advance(by: time - .milliseconds(1))
                try Self.settle(server)
                #expect(client.isQuiet)
                clock.advance(by: Self.late)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            }
        }
    }

    @Test func `a handshake has its time and no more`() async throws {
        let certificate = try TestCertificate()
        let clock = StillClock()
        let context = try certificate.context()
        try await withServer(
            loops: 1, tls: context, clock: { clock.now }, handler: Self.answer
        ) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try Self.refused(server)
                clock.advance(by: try Self.time(of: "tls-handshake") - .milliseconds(1))
                try Self.refused(server)
                #expect(client.isQuiet)
                clock.advance(by: Self.late)
                #expect(try client.receive() == [])
            }
        }
    }

    /// Something that is no TLS, on a connection of its own, seen by the loop.
    private static func refused(_ server: Server) throws {
        for _ in 0..<2 {
            let client = try TestClient(port: server.port)
            try client.send("no TLS\r\n\r\n")
            _ = try client.receiveBytes()
        }
    }

    @Test func `a peer that reads no byte is waited for so long and no longer`() async throws {
        let clock = StillClock()
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.answer) { server in
            try await blocking {
                let time = try Self.time(of: "write-stall")
                for isLate in [false, true] {
                    let client = try TestClient(port: server.port, receiveBuffer: 4096)
                    try client.send("GET /flood HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    _ = try client.receive(upTo: 100)
                    try Self.settle(server)
                    clock.advance(by: isLate ? time + Self.late : time - .milliseconds(1))
                    try Self.settle(server)
                    let count = try client.receiveBytes().count
                    #expect((count > 50_000_000 - 100) == !isLate, "\(count) bytes")
                }
            }
        }
    }

    @Test func `no byte moves the deadline of a head`() async throws {
        let clock = StillClock()
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.answer) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
                for _ in 0..<9 {
                    try Self.settle(server)
                    clock.advance(by: .seconds(1))
                    try client.send("X: y\r\n")
                }
                try Self.settle(server)
                #expect(client.isQuiet)
                clock.advance(by: .seconds(1) + Self.late)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
            }
        }
    }

    @Test(arguments: [(10_240, true), (10_239, false)])
    func `a large upload keeps to a least rate`(bytes: Int, goesOn: Bool) async throws {
        let clock = StillClock()
        try await withServer(loops: 1, clock: { clock.now }, handler: Self.answer) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(Self.post + "2000000\r\n\r\n")
                try Self.settle(server)
                clock.advance(by: .seconds(9))
                try client.send([UInt8](repeating: 0x61, count: bytes))
                try Self.settle(server)
                clock.advance(by: .seconds(1) + Self.late)
                try Self.settle(server)
                if goesOn {
                    #expect(client.isQuiet)
                    try client.send([UInt8](repeating: 0x61, count: 2_000_000 - bytes))
                    #expect(try client.receive(until: "\r\n").hasPrefix("HTTP/1.1 200 "))
                } else {
                    #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
                }
            }
        }
    }

    @Test func `a large upload has its time in all`() async throws {
        let clock = StillClock()
        var limits = ServerLimits()
        limits.uploadComplete = .seconds(40)
        try await withServer(limits: limits, loops: 1, clock: { clock.now }, handler: Self.answer) {
            server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(Self.post + "20000000\r\n\r\n")
                for _ in 0..<4 {
                    try Self.settle(server)
                    clock.advance(by: .seconds(9) + .milliseconds(900))
                    try client.send([UInt8](repeating: 0x61, count: 20_000))
                }
                try Self.settle(server)
                #expect(client.isQuiet)
                clock.advance(by: .milliseconds(400) + Self.late)
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
            }
        }
    }

    @Test(arguments: [(65_536, true), (65_537, false)])
    func `an unread body is skipped up to 64 KiB`(bytes: Int, goesOn: Bool) async throws {
        try await withServer(handler: { _ in Response(text: "done") }) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(Self.post + "\(bytes)\r\n\r\n")
                let head = try client.receiveResponse().head
                #expect(head.contains("Connection: close\r\n") == !goesOn)
                guard goesOn else { return }
                try client.send([UInt8](repeating: 0x61, count: bytes))
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveResponse().body == "done")
            }
        }
    }
}
