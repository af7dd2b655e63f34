import DeskHTTP
import DeskNet
import Synchronization
import Testing

/// What becomes of a handler whose peer closes before the answer.
struct ClosedPeerTests {
    private static func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    /// What the handlers of a test did.
    private final class Handled: Sendable {
        let hasBegun = Signal()
        let mayAsk = Signal()
        let hasEnded = Signal()
        private let counts = Mutex((cancelled: 0, behind: 0))

        var cancelled: Int { counts.withLock { $0.cancelled } }
        var behind: Int { counts.withLock { $0.behind } }

        @Sendable func answer(_ request: Request) async -> Response {
            switch request.path.segments.first {
            case "early": request.peer.cancelHandlerWhenClosed()
            case "late":
                // The peer closes before the handler asks.
                hasBegun.set()
                await mayAsk.wait()
                request.peer.cancelHandlerWhenClosed()
            default:
                counts.withLock { $0.behind += 1 }
                return Response(text: "behind")
            }
            hasBegun.set()
            // Safe: the wait ends by cancellation.
            try? await Task.sleep(for: .seconds(600))
            if Task.isCancelled { counts.withLock { $0.cancelled += 1 } }
            hasEnded.set()
            return Response(text: "ended")
        }
    }

    @Test(arguments: ["/early", "/late"])
    func
        `a handler that asks for it is cancelled when its peer closes, and nothing is served behind it`(
            path: String
        ) async throws
    {
        let handled = Handled()
        try await withServer(handler: { await handled.answer($0) }) { server in
            let client = try TestClient(port: server.port)
            try client.send(Self.request(path) + Self.request("/behind"))
            await handled.hasBegun.wait()
            client.finish()
            if path == "/late" {
                // When this is answered, on each loop, the close has been seen.
                try await blocking {
                    for _ in 0..<4 {
                        let other = try TestClient(port: server.port)
                        try other.send(Self.request("/other"))
                        _ = try other.receiveResponse()
                    }
                }
            }
            let others = handled.behind
            handled.mayAsk.set()
            await handled.hasEnded.wait()
            // A client that still reads gets what the handler made of it, and the end of the connection.
            let rest = try await blocking { try client.receiveAll() }
            #expect(rest.hasSuffix("ended") && !rest.contains("behind"), "\(rest)")
            #expect(handled.cancelled == 1 && handled.behind == others)
        }
    }

    @Test func `a handler that asks for nothing goes on when its peer closes its direction`()
        async throws
    {
        let mayEnd = Signal()
        let hasBegun = Signal()
        let handler: @Sendable (Request) async -> Response = { _ in
            hasBegun.set()
            await mayEnd.wait()
            return Response(text: Task.isCancelled ? "cancelled" : "done")
        }
        try await withServer(handler: handler) { server in
            let client = try TestClient(port: server.port)
            try client.send(Self.request("/"))
            await hasBegun.wait()
            client.finish()
            mayEnd.set()
            let rest = try await blocking { try client.receiveAll() }
            #expect(rest.hasSuffix("done"), "\(rest)")
        }
    }

    @Test func `a handler that asked for it answers a peer that stays, and the next request too`()
        async throws
    {
        let handler: @Sendable (Request) async -> Response = { request in
            request.peer.cancelHandlerWhenClosed()
            return Response(text: request.path.text)
        }
        try await withServer(handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for path in ["/one", "/two"] {
                    try client.send(Self.request(path))
                    #expect(try client.receiveResponse().body == path)
                }
            }
        }
    }
}
