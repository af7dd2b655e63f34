import DeskHTTP
import DeskLog
import DeskNet
import Testing

/// How many connections are let in, and what is counted of them.
struct AdmissionTests {
    @Test func `a connection over the limit waits until another ends`() async throws {
        var limits = ServerLimits()
        limits.connections = 1
        try await withServer(limits: limits, handler: { _ in Response(text: "in") }) { server in
            try await blocking {
                let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                var first: TestClient? = try TestClient(port: server.port)
                try first?.send(request)
                #expect(try first?.receiveResponse().body == "in")
                let second = try TestClient(port: server.port, patience: 1)
                try second.send(request)
                #expect(throws: TestClient.Failure.self) { try second.receive() }
                first = nil
                #expect(try second.receiveResponse().body == "in")
            }
        }
    }

    @Test func `requests and connections are counted`() async throws {
        let metrics = Metrics()
        let sink = MemorySink()
        let server = Server(
            Server.Configuration(listen: [ListenAddress(host: "127.0.0.1", port: 0)]),
            handler: ClosureHandler { _ in Response(text: "fine") },
            log: Log(to: sink, from: .debug), metrics: metrics)
        try server.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET /secret HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receiveResponse()
                try client.send("GET /secret HTTP/1.1\r\nHost : a\r\n\r\n")
                _ = try client.receiveAll()
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        let text = metrics.text()
        #expect(text.contains("frontdesk_connections_accepted_total 1\n"))
        #expect(text.contains("frontdesk_connections_open 0\n"))
        #expect(text.contains("frontdesk_http_requests_total 1\n"))
        #expect(text.contains("frontdesk_http_refused_total{reason=\"bad_header\"} 1\n"))
        #expect(
            sink.lines.contains { $0.contains("event=request_refused status=400 code=bad_header") })
        #expect(!sink.lines.contains { $0.contains("secret") })
    }
}
