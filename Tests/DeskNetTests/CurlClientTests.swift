import DeskHTTP
import DeskNet
import Foundation
import Testing

/// Our requests to others over real sockets.
struct CurlClientTests {
    static let client = CurlClient(reach: .anywhere)

    @Test func `one connection carries many requests`() async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nhi")
        }
        defer { peer.stop() }
        let client = CurlClient(reach: .anywhere)
        for number in 1...5 {
            let body = Array("body \(number)".utf8)
            let answer = try await client.send(
                OutgoingRequest(.post, peer.url("/\(number)"), body: .bytes(body)))
            #expect(answer.status == .ok)
            #expect(answer.headers["x-a"] == "1, 2")
            #expect(try await answer.body.collect(upTo: 10) == Array("hi".utf8))
        }
        #expect(peer.connections == 1)
        #expect(peer.requests.map { $0.suffix(6) } == (1...5).map { "body \($0)" })
    }

    @Test func `a connection is kept for the next request beside many that hang`() async throws {
        let (all, closed) = (Signal(), Signal())
        let hanging = try ScriptedPeer { _, connection in
            if connection == 80 { all.set() }
            return .hold("", closed)
        }
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer {
            hanging.stop()
            peer.stop()
        }
        let client = CurlClient(reach: .anywhere)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<80 {
                group.addTask {
                    _ = try? await client.send(
                        OutgoingRequest(
                            .get, hanging.url("/\(number)"), timeout: .seconds(600)))
                }
            }
            await all.wait()
            for _ in 0..<5 {
                let answer = try await client.send(OutgoingRequest(.get, peer.url()))
                #expect(answer.status == .ok)
            }
            group.cancelAll()
        }
        #expect(peer.connections == 1)
    }

    @Test func `a request goes out with the caller's fields and no field of the library's`()
        async throws
    {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let fields: HeaderFields = [
            "Host": "evil", "Content-Length": "999", "Connection": "close", "X-Empty": "",
            "Transfer-Encoding": "chunked", "Authorization": "Bearer a.b.c", "id": "é",
        ]
        _ = try await Self.client.send(
            OutgoingRequest(.put, peer.url("/a?b=c"), headers: fields, body: .bytes([0x41])))
        _ = try await Self.client.send(OutgoingRequest(.post, peer.url("/empty")))
        _ = try await Self.client.send(OutgoingRequest(.delete, peer.url("/gone")))
        let large = [UInt8](repeating: 0x61, count: 2_000_000)
        _ = try await Self.client.send(
            OutgoingRequest(.post, peer.url("/large"), body: .bytes(large)))
        let requests = peer.requests.map { $0.components(separatedBy: "\r\n") }
        let host = "Host: 127.0.0.1:\(peer.port)"
        #expect(requests[0][0] == "PUT /a?b=c HTTP/1.1")
        #expect(
            Set(requests[0][1...]) == [
                host, "X-Empty:", "Authorization: Bearer a.b.c", "id: Ã©", "Content-Length: 1", "",
                "A",
            ])
        #expect(requests[1] == ["POST /empty HTTP/1.1", host, "Content-Length: 0", "", ""])
        #expect(requests[2] == ["DELETE /gone HTTP/1.1", host, "", ""])
        #expect(requests[3][1...2] == [host, "Content-Length: 2000000"])
        #expect(requests[3][3].isEmpty && requests[3].count == 5)
    }

    @Test func `a redirect is an answer like others and is not followed`() async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await Self.client.send(OutgoingRequest(.get, peer.url()))
        #expect(answer.status == .found)
        #expect(answer.headers["location"] == "/other")
        #expect(peer.requests.count == 1)
    }

    @Test func `heads of 1xx answers are passed over, trailers too`() async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer(
                "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\n"
                    + "Transfer-Encoding: chunked\r\nX-Late: 2\r\n\r\n"
                    + "3\r\nabc\r\n0\r\nX-Trailer: 3\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await Self.client.send(OutgoingRequest(.get, peer.url()))
        #expect(answer.status == .ok)
        #expect(answer.headers["x-early"] == nil && answer.headers["x-trailer"] == nil)
        #expect(answer.headers["x-late"] == "2")
        #expect(try await answer.body.collect(upTo: 3) == Array("abc".utf8))
    }

    @Test func `the body is sent again when a kept connection turns out to be dead`() async throws {
        let peer = try ScriptedPeer { request, connection in
            request.hasPrefix("POST /second") && connection == 1
                ? .answerAndClose("") : .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let client = CurlClient(reach: .anywhere)
        for path in ["/first", "/second"] {
            let request = OutgoingRequest(.post, peer.url(path), body: .bytes(Array("body".utf8)))
            #expect(try await client.send(request).status == .ok)
        }
        #expect(peer.connections == 2)
        #expect(peer.requests.count == 3 && peer.requests[2].hasSuffix("\r\n\r\nbody"))
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "hello there, not HTTP\r\n\r\n",
    ])
    func `an answer that is cut off or broken is no answer`(answer: String) async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose(answer) }
        defer { peer.stop() }
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, peer.url()))
        }
        #expect(error?.code == .cutOff, "\(answer): \(error?.detail ?? "")")
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n0123456789a", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n", true),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n",
            false
        ),
    ])
    func `an answer over its limit is refused`(answer: String, fits: Bool) async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose(answer) }
        defer { peer.stop() }
        let request = OutgoingRequest(.get, peer.url(), answerLimit: 10)
        guard !fits else {
            #expect(try await Self.client.send(request).body.collect(upTo: 10).count == 10)
            return
        }
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(request)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a head over 64 KiB is refused`() async throws {
        let field = "X-Much: \(String(repeating: "a", count: 1_000))\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 70) + "\r\n"
        let peer = try ScriptedPeer { _, _ in .answerAndClose(head) }
        defer { peer.stop() }
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, peer.url()))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [
        "", "example.com", "ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/",
        "http://", "https:///path", "http://user:secret@127.0.0.1/", "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nX: y", "http://127.0.0.1/ä", "http://127.0.0.1:99999/",
        "http://[::1/",
    ])
    func `what is no address is refused`(url: String) async {
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, url))
        }
        #expect(error?.code == .address, "\(error?.description ?? "")")
        #expect(error?.detail.contains("secret") == false)
    }

    @Test func `an address over 8 KiB is refused`() async {
        let url = "http://127.0.0.1/" + String(repeating: "a", count: 8_192)
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, url))
        }
        #expect(error?.code == .address)
    }

    @Test func `a method that is no word is refused`() async throws {
        for method in [Method.connect, .other("GET / HTTP/1.1\r\nX: y"), .other("")] {
            let error = await #expect(throws: OutgoingError.self) {
                try await Self.client.send(OutgoingRequest(method, "http://127.0.0.1/"))
            }
            #expect(error?.code == .address)
        }
    }

    @Test func `no listener, and no such name, are distinguished`() async throws {
        // Not a port that was free a moment ago: another test may listen on it by now.
        let refused = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, "http://127.0.0.1:1/"))
        }
        #expect(refused?.code == .connection)
        let unknown = await #expect(throws: OutgoingError.self) {
            try await Self.client.send(OutgoingRequest(.get, "http://nowhere.invalid/"))
        }
        #expect(unknown?.code == .name)
    }

    @Test func `the environment's proxy is not used`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
            unsafe setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
            let peer = try ScriptedPeer { _, _ in
                .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            let answer = try await CurlClient(reach: .anywhere).send(
                OutgoingRequest(.get, peer.url()))
            #expect(answer.status == .ok)
        }
    }
}
