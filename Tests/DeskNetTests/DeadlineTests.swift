import DeskHTTP
import DeskNet
import Glibc
import Testing

/// Every deadline, with its limit set short.
struct DeadlineTests {
    /// The server's limits with one deadline set short, so that a busy machine cannot miss another.
    private static func limits(short name: String) throws -> ServerLimits {
        var limits = ServerLimits()
        let short = Duration.milliseconds(300)
        switch name {
        case "first-byte": limits.firstByte = short
        case "keep-alive-idle": limits.keepAliveIdle = short
        case "head-complete": limits.headComplete = short
        case "body-complete": limits.bodyComplete = short
        case "upload-window": limits.uploadWindow = short
        case "handler-time": limits.handlerTime = short
        case "write-stall": limits.writeStall = short
        default: preconditionFailure("no deadline \(name)")
        }
        return limits
    }

    @Sendable private static func read(_ request: Request) async -> Response {
        do throws(BodyError) {
            return Response(type: "text/plain", try await request.body.collect(upTo: 100_000_000))
        } catch { return .refusal(error) }
    }

    @Test(arguments: [
        // A connection that says nothing, and one that is kept but not used, just end.
        ("first-byte", "", ""),
        ("keep-alive-idle", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK"),
        ("head-complete", "GET / HTTP/1.1\r\nHost: ", "HTTP/1.1 408 Request Timeout"),
        (
            "body-complete", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
            "HTTP/1.1 408 Request Timeout"
        ),
        (
            "upload-window", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\nabc",
            "HTTP/1.1 408 Request Timeout"
        ),
    ])
    func `a peer that stops is answered and cut off`(
        limit: String, sent: String, line: String
    ) async throws {
        let limits = try Self.limits(short: limit)
        try await withServer(limits: limits, handler: Self.read) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(sent)
                let all = try client.receiveAll()
                #expect(all.hasPrefix(line))
                #expect(all.isEmpty == line.isEmpty)
            }
        }
    }

    @Test func `bytes do not move the deadline of a head`() async throws {
        try await withServer(limits: try Self.limits(short: "head-complete"), handler: Self.read) {
            server in
            let all = try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n")
                // Fewer fields than the limit: only the deadline can end this.
                for _ in 0..<90 {
                    do { try client.send("X: y\r\n") } catch { break }
                    // Paced by a real clock: the peer's slowness is what is tested.
                    usleep(20_000)
                }
                return try client.receiveAll()
            }
            #expect(all.hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func `a handler that exceeds its time is answered for with 503`() async throws {
        let cancelled = Signal()
        let slow: @Sendable (Request) async -> Response = { _ in
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.set() }
            return Response(text: "too late")
        }
        try await withServer(limits: try Self.limits(short: "handler-time"), handler: slow) {
            server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let all = try client.receiveAll()
                #expect(all.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
                #expect(all.contains("Retry-After: 1\r\n"))
                #expect(!all.contains("too late"))
            }
            await cancelled.wait()
        }
    }

    @Test func `a reader that stops is cut off and others are served`() async throws {
        let failure = Signal()
        let handler: @Sendable (Request) async -> Response = { request in
            guard request.path.segments == ["flood"] else { return Response(text: "fine") }
            return Response(
                status: .ok,
                body: .stream { stream in
                    let block = [UInt8](repeating: 0x61, count: 65_536)
                    do throws(StreamError) {
                        while true { try await stream.write(block) }
                    } catch {
                        #expect(error == .stalled)
                        failure.set()
                    }
                })
        }
        try await withServer(
            limits: try Self.limits(short: "write-stall"), loops: 1, handler: handler
        ) { server in
            let stuck = try await blocking {
                let stuck = try TestClient(port: server.port, receiveBuffer: 4096)
                try stuck.send("GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
                let other = try TestClient(port: server.port)
                try other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try other.receiveResponse().body == "fine")
                return stuck
            }
            await failure.wait()
            withExtendedLifetime(stuck) {}
        }
    }

    @Test func `an upload is read no faster than the handler reads it`() async throws {
        let goOn = Signal()
        let total = 64 * 1024 * 1024
        var limits = ServerLimits()
        limits.handlerTime = .seconds(60)
        let handler: @Sendable (Request) async -> Response = { request in
            await goOn.wait()
            var count = 0
            do throws(BodyError) {
                while let piece = try await request.body.next() { count += piece.count }
            } catch { return .refusal(error) }
            return Response(text: "\(count)")
        }
        try await withServer(limits: limits, handler: handler) { server in
            let client = try await blocking { try TestClient(port: server.port) }
            let sent = try await blocking {
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(total)\r\n\r\n")
                return try client.sendUntilFull([UInt8](repeating: 1, count: total))
            }
            // Only the kernel's buffers were filled: the server holds none of it in memory.
            #expect(sent < total / 2)
            goOn.set()
            let body = try await blocking {
                try client.send([UInt8](repeating: 1, count: total - sent))
                return try client.receiveResponse().body
            }
            #expect(body == "\(total)")
        }
    }
}
