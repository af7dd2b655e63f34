import DeskHTTP
import DeskNet
import Testing

/// Requests and responses over real sockets.
struct ServerTests {
    @Sendable private static func echo(_ request: Request) async -> Response {
        do throws(BodyError) {
            let body = try await request.body.collect(upTo: 1_000_000)
            let text = "\(request.method.token) \(request.path.text) "
            return Response(type: "text/plain", Array(text.utf8) + body)
        } catch { return .refusal(error) }
    }

    @Test func `one connection carries many requests`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for number in 1...3 {
                    try client.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try client.receiveResponse().body == "GET /\(number) ")
                }
                try client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                #expect(try client.receiveResponse().body == "POST /p hello")
                try client.send(
                    "POST /q HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
                #expect(try client.receiveResponse().body == "POST /q abc")
            }
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(
                    (1...20).map {
                        "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
                    }.joined())
                for number in 1...20 {
                    #expect(try client.receiveResponse().body == "POST /\(number) hi")
                }
            }
        }
    }

    @Test func `a request that comes byte by byte is one request`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for byte in "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
                    try client.send([byte])
                }
                #expect(try client.receiveResponse().body == "POST / abc")
            }
        }
    }

    @Test func `a refused request ends the connection and hides what follows`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                let all = try client.receiveAll()
                #expect(all.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
                #expect(all.contains(#""code":"bad_transfer_encoding""#))
                #expect(all.contains("Connection: close\r\n"))
                #expect(!all.contains("smuggled"))
            }
        }
    }

    @Test func `an answer that is cut has no first byte`() async throws {
        let cut: @Sendable (Request) async -> Response = { _ in
            Response(status: .ok, headers: ["X-A": "b"], body: .cut)
        }
        try await withServer(handler: cut) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1")
                #expect(try client.receiveBytes().isEmpty)
            }
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let all = try client.receiveAll()
                #expect(all.contains("Content-Length: 8\r\n"))
                #expect(all.hasSuffix("\r\n\r\n"))
            }
        }
    }

    @Test func `HTTP 1·0 closes unless it asks not to`() async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET /a HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
                #expect(try client.receiveResponse().head.contains("Connection: keep-alive"))
                try client.send("GET /b HTTP/1.0\r\nHost: a\r\n\r\n")
                #expect(try client.receiveAll().hasSuffix("GET /b "))
            }
        }
    }

    @Test func `100 Continue comes when the handler reads, not before`() async throws {
        let handler: @Sendable (Request) async -> Response = { request in
            request.path.segments == ["refuse"]
                ? .problem(.forbidden, code: "forbidden") : await Self.echo(request)
        }
        try await withServer(handler: handler) { server in
            try await blocking {
                let fields = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
                let reader = try TestClient(port: server.port)
                try reader.send("POST / HTTP/1.1\r\n\(fields)")
                #expect(try reader.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try reader.send("ok")
                #expect(try reader.receiveResponse().body == "POST / ok")
                let refused = try TestClient(port: server.port)
                try refused.send("POST /refuse HTTP/1.1\r\n\(fields)")
                let all = try refused.receiveAll()
                #expect(all.hasPrefix("HTTP/1.1 403"))
                #expect(all.contains("Connection: close\r\n"))
            }
        }
    }

    @Test(arguments: [
        "Content-Length: 1000001\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nF4241\r\n",
    ])
    func `a body over the limit is refused and the connection ends`(framing: String) async throws {
        try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)")
                // The server may close while this is under way; its answer is still read.
                try? client.send([UInt8](repeating: 0x61, count: 1_000_001))
                #expect(try client.receive(until: "\r\n").hasPrefix("HTTP/1.1 413 "))
            }
        }
    }

    @Test func `a small unread body is skipped, a large one ends the connection`()
        async throws
    {
        try await withServer(handler: { _ in Response(text: "done") }) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                for _ in 1...2 {
                    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
                    try client.send([UInt8](repeating: 0x61, count: 60_000))
                    #expect(try client.receiveResponse().body == "done")
                }
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n")
                #expect(try client.receiveAll().contains("Connection: close\r\n"))
            }
        }
    }

    @Test func `cancelling the server ends open connections`() async throws {
        let client = try await withServer(handler: Self.echo) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receiveResponse()
                return client
            }
        }
        #expect(try await blocking { try client.receiveAll() } == "")
    }

    @Test func `a port in use is an error with the system's number`() async throws {
        try await withServer(handler: Self.echo) { server in
            let address = ListenAddress(host: "127.0.0.1", port: UInt16(server.port))
            let other = Server(
                Server.Configuration(listen: [address]), handler: ClosureHandler(answer: Self.echo))
            #expect(throws: NetError.self) { try other.start() }
        }
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:0", "::1", 0),
        ("localhost:8080", "127.0.0.1", 8080),
        ("0.0.0.0:65535", "0.0.0.0", 65_535),
    ])
    func `an address is read`(text: String, host: String, port: Int) {
        #expect(ListenAddress(text) == ListenAddress(host: host, port: UInt16(port)))
    }

    @Test(arguments: ["", "80", ":80", "::1:80", "a:65536", "a:-1", "a:"])
    func `what is no address is not read`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
