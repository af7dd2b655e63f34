import DeskHTTP
import DeskNet
import Testing

/// Streamed responses and WebSockets over real sockets, and their ends.
struct StreamTests {
    private static let upgrade =
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

    /// A short frame as a client sends it, masked with zeros.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    /// Sends each text back.
    private struct Echo: SteppedStream {
        func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
            guard case .message(.text(let text)) = cause else { return .upTo(.seconds(60)) }
            do throws(StreamError) {
                try await line.send(Array(text.utf8))
            } catch {
                // The test sees the end from outside.
                return .over(code: 1000)
            }
            return .upTo(.seconds(60))
        }
    }

    @Sendable private static func echo(_ request: Request) async -> Response {
        Response(
            status: .switchingProtocols, headers: ["X-A": "b"], body: .socketSteps(Echo()))
    }

    private static func open(_ server: Server) throws -> TestClient {
        let client = try TestClient(port: server.port)
        try client.send(upgrade)
        let head = try client.receive(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(head.contains("Connection: Upgrade\r\n"))
        #expect(head.contains("X-A: b\r\n"))
        return client
    }

    @Test func `a stream comes in chunks and the connection goes on`() async throws {
        let handler: @Sendable (Request) async -> Response = { _ in
            Response(
                status: .ok,
                body: .stream { stream in
                    try? await stream.write("one")  // Safe: the test reads what arrives.
                    try? await stream.write("")  // Safe: as above.
                    try? await stream.write("two!")  // Safe: as above.
                })
        }
        try await withServer(handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for _ in 1...2 {
                    try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    let all = try client.receive(until: "\r\n0\r\n\r\n")
                    #expect(all.hasSuffix("\r\n\r\n3\r\none\r\n4\r\ntwo!\r\n0\r\n\r\n"))
                }
                try client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n")
                #expect(try client.receiveAll().hasSuffix("\r\n\r\nonetwo!"))
            }
        }
    }

    @Test func `a counted body has its length, and one of another length cuts the connection`()
        async throws
    {
        let handler: @Sendable (Request) async -> Response = { request in
            let count = Int(request.path.text.dropFirst()) ?? 0
            return Response(
                status: .ok,
                body: .counted(count) { stream in
                    try? await stream.write("one")  // Safe: the test reads what arrives.
                    try? await stream.write("two!")  // Safe: as above.
                })
        }
        try await withServer(handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for _ in 1...2 {
                    try client.send("GET /7 HTTP/1.1\r\nHost: a\r\n\r\n")
                    let (head, body) = try client.receiveResponse()
                    #expect(head.contains("Content-Length: 7") && body == "onetwo!")
                }
                try client.send(
                    "HEAD /7 HTTP/1.1\r\nHost: a\r\n\r\nGET /8 HTTP/1.1\r\nHost: a\r\n\r\n")
                let short = try client.receiveAll()
                #expect(
                    short.contains("Content-Length: 8\r\n") && short.hasSuffix("\r\n\r\nonetwo!"))
                let other = try TestClient(port: server.port)
                try other.send("GET /6 HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try other.receiveAll().hasSuffix("\r\n\r\none"))
            }
        }
    }

    @Test func `a stream is cancelled when its reader leaves`() async throws {
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let handler: @Sendable (Request) async -> Response = { _ in
            Response(
                status: .ok,
                body: .stream { stream in
                    try? await stream.write("hello")  // Safe: the test waits for the end only.
                    do {
                        try await Task.sleep(for: .seconds(60))
                        end.yield(false)
                    } catch {
                        end.yield(true)
                    }
                })
        }
        try await withServer(handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive(until: "hello")
            }
            #expect(await ends.first { _ in true } == true)
        }
    }

    @Test func `a WebSocket echoes, answers pings and says goodbye`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try Self.open(server)
                try client.send(Self.frame(0x81, Array("hi".utf8)))
                #expect(try client.receive(exactly: 4) == [0x81, 2, 0x68, 0x69])
                try client.send(Self.frame(0x89, [7]))
                #expect(try client.receive(exactly: 3) == [0x8A, 1, 7])
                try client.send(Self.frame(0x01, [1]) + Self.frame(0x80, [2]))
                #expect(try client.receive(exactly: 4) == [0x81, 2, 1, 2])
                try client.send(Self.frame(0x88, [0x0F, 0xA0]))
                #expect(try client.receive(exactly: 4) == [0x88, 2, 0x0F, 0xA0])
                #expect(try client.receive() == [])
            }
        }
    }

    @Test func `a broken frame gets its close code`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try Self.open(server)
                try client.send([0x81, 1, 0x61])
                #expect(try client.receive(exactly: 4) == [0x88, 2, 0x03, 0xEA])
                #expect(try client.receive() == [])
            }
        }
    }

    @Test func `a peer that answers no ping is cut off`() async throws {
        var limits = ServerLimits()
        limits.heartbeat = .milliseconds(200)
        limits.pong = .seconds(2)
        try await withServer(limits: limits, handler: Self.echo) { server in
            try await blocking {
                let client = try Self.open(server)
                #expect(try client.receive(exactly: 2) == [0x89, 0])
                try client.send(Self.frame(0x8A, []))
                // More pings follow the one left unanswered, then the end.
                let rest = Array(try client.receiveAll().utf8)
                #expect(!rest.isEmpty)
            }
        }
    }

    @Test func `a request that is no handshake is refused`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receiveAll().hasPrefix("HTTP/1.1 400 "))
            }
        }
    }

    @Test func `a drain lets requests finish, ends streams and returns`() async throws {
        var limits = ServerLimits()
        limits.drainStreams = .milliseconds(300)
        let isHandling = Signal()
        let goOn = Signal()
        let handler: @Sendable (Request) async -> Response = { request in
            if request.path.segments == ["socket"] { return await Self.echo(request) }
            guard request.path.segments == ["events"] else {
                isHandling.set()
                await goOn.wait()
                return Response(text: "finished")
            }
            return Response(
                status: .ok,
                body: .stream { stream in
                    // Safe: the test reads what arrives; the sleep ends by cancellation.
                    try? await stream.write("open")
                    try? await Task.sleep(for: .seconds(60))
                    try? await stream.write(stream.isDraining ? "retry" : "cut")
                })
        }
        var configuration = Server.Configuration(listen: [ListenAddress(host: "127.0.0.1", port: 0)]
        )
        configuration.limits = limits
        let server = Server(configuration, handler: ClosureHandler(answer: handler))
        try server.start()
        let port = server.port
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let socket = try await blocking {
                let client = try TestClient(port: port)
                try client.send(Self.upgrade.replacing("GET /", with: "GET /socket"))
                _ = try client.receive(until: "\r\n\r\n")
                return client
            }
            let (events, request) = try await blocking {
                let events = try TestClient(port: port)
                try events.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try events.receive(until: "open")
                let request = try TestClient(port: port)
                try request.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                return (events, request)
            }
            await isHandling.wait()
            server.drain()
            #expect(server.isDraining)
            goOn.set()
            try await blocking {
                let answer = try request.receiveAll()
                #expect(answer.hasSuffix("finished"))
                #expect(try events.receiveAll().contains("retry"))
                #expect(try socket.receive(exactly: 4) == [0x88, 2, 0x03, 0xE9])
            }
            #expect(throws: (any Error).self) { try TestClient(port: port) }
            try await group.waitForAll()
        }
    }
}
