import DeskHTTP
import DeskLog
import DeskNet
import Testing

/// What the metrics say of answers: their class, and how long handlers worked for them.
struct AnswerCountTests {
    @Test func `answers are counted by class, and timed unless they are streams`() async throws {
        let clock = StillClock()
        let metrics = Metrics()
        let handler: @Sendable (Request) async -> Response = { request in
            switch request.path.segments.first {
            case "slow":
                clock.advance(by: .milliseconds(300))
                return Response(text: "late")
            case "stream":
                clock.advance(by: .seconds(3))
                return Response(
                    status: .ok,
                    body: .stream { stream in
                        try? await stream.write("one")  // Safe: the test reads what arrives.
                    })
            case "missing": return .problem(.notFound, code: "not_found")
            case "cut": return Response(status: .ok, body: .cut)
            default: return Response(text: "fine")
            }
        }
        try await withServer(clock: { clock.now }, metrics: metrics, handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for path in ["fine", "slow", "missing"] {
                    try client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = try client.receiveResponse()
                }
                for request in [
                    "GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET /cut HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /fine HTTP/1.1\r\nHost : a\r\n\r\n",
                ] {
                    let other = try TestClient(port: server.port)
                    try other.send(request)
                    _ = try other.receiveBytes()
                }
            }
        }
        let text = metrics.text()
        // One of the refusals is the server's own, before any handler; what is cut is no answer.
        for (name, count) in [("1xx", 0), ("2xx", 3), ("3xx", 0), ("4xx", 2), ("5xx", 0)] {
            let line = "frontdesk_http_responses_total{class=\"\(name)\"} \(count)\n"
            #expect(text.contains(line), "\(line)")
        }
        for (bound, count) in [("0.001", 3), ("0.1", 3), ("0.5", 4), ("+Inf", 4)] {
            let line = "frontdesk_http_request_seconds_bucket{le=\"\(bound)\"} \(count)\n"
            #expect(text.contains(line), "\(line)")
        }
        #expect(text.contains("frontdesk_http_request_seconds_sum 0.3\n"))
        #expect(text.contains("frontdesk_http_request_seconds_count 4\n"))
    }

    @Test func `a WebSocket is counted as a switch of protocols, and not timed`() async throws {
        let metrics = Metrics()
        let handler: @Sendable (Request) async -> Response = { _ in
            Response(status: .ok, body: .socketSteps(Ended()))
        }
        try await withServer(metrics: metrics, handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(
                    "GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                _ = try client.receive(until: "\r\n\r\n")
                let other = try TestClient(port: server.port)
                try other.send("GET /socket HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                _ = try other.receiveAll()
            }
        }
        let text = metrics.text()
        #expect(text.contains("frontdesk_http_responses_total{class=\"1xx\"} 1\n"))
        #expect(text.contains("frontdesk_http_responses_total{class=\"4xx\"} 1\n"))
        #expect(text.contains("frontdesk_http_request_seconds_count 0\n"))
    }

    /// A stream that ends with its first step.
    private final class Ended: SteppedStream {
        func step(_ cause: StreamCause, on line: any StreamLine) async -> StepResult {
            .over(code: 1_000)
        }
    }
}
