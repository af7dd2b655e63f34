import DeskHTTP
import DeskNet
import Testing

/// How our requests to others end before their time: by the clock, by the caller, by TLS.
struct CurlClientEndTests {
    static let client = CurlClient(reach: .anywhere)
    private static let begun = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc"

    @Test(arguments: ["", "HTTP/1.1 200", begun])
    func `an answer that does not come, or stops, is a time-out and ends the connection`(
        answer: String
    ) async throws {
        let clock = StillClock()
        let client = CurlClient(reach: .anywhere) { clock.now }
        let (asked, closed) = (Signal(), Signal())
        let peer = try ScriptedPeer { _, _ in
            asked.set()
            return .hold(answer, closed)
        }
        defer { peer.stop() }
        let request = OutgoingRequest(.get, peer.url(), timeout: .seconds(10))
        let answered = Task { try await client.send(request) }
        await asked.wait()
        clock.advance(by: .seconds(10))
        client.lookAtClock()
        let error = await #expect(throws: OutgoingError.self) { try await answered.value }
        #expect(error?.code == .timeout)
        await closed.wait()
    }

    @Test(arguments: [[60, 10, 30], [10, 30, 60]])
    func `each of several that hang ends at its own deadline`(seconds: [Int]) async throws {
        let clock = StillClock()
        let client = CurlClient(reach: .anywhere) { clock.now }
        let (all, closed) = (Signal(), Signal())
        let peer = try ScriptedPeer { _, connection in
            if connection == 3 { all.set() }
            return .hold("", closed)
        }
        defer { peer.stop() }
        let tasks = seconds.map { timeout in
            let request = OutgoingRequest(
                .get, peer.url("/\(timeout)"), timeout: .seconds(timeout))
            return (timeout, Task { try await client.send(request) })
        }
        await all.wait()
        var passed = 0
        for (timeout, task) in tasks.sorted(by: { $0.0 < $1.0 }) {
            clock.advance(by: .seconds(timeout - passed))
            passed = timeout
            client.lookAtClock()
            let error = await #expect(throws: OutgoingError.self) { try await task.value }
            #expect(error?.code == .timeout)
            #expect(error?.detail.contains("\(timeout)") == true)
        }
    }

    @Test(arguments: [(20_479, false), (20_480, true)])
    func `a long body may last longer as long as it moves`(
        count: Int, isFastEnough: Bool
    ) async throws {
        let clock = StillClock()
        let client = CurlClient(reach: .anywhere) { clock.now }
        let closed = Signal()
        let peer = try ScriptedPeer { _, _ in
            .hold(
                "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"
                    + String(repeating: "a", count: count), closed)
        }
        defer { peer.stop() }
        let answer = try await client.open(
            OutgoingRequest(.get, peer.url(), timeout: .seconds(20)))
        #expect(answer.body.declaredLength == 99_999)
        var left = count
        while left > 0 { left -= try await answer.body.next()?.count ?? left }
        for round in 0..<(isFastEnough ? 2 : 1) {
            clock.advance(by: .seconds(20))
            client.lookAtClock()
            guard isFastEnough, round == 0 else { continue }
            // Answered by the same thread, which has looked at the clock before.
            let small = try ScriptedPeer { _, _ in
                .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            #expect(try await client.send(OutgoingRequest(.get, small.url())).status == .ok)
            small.stop()
        }
        await #expect(throws: BodyError.tooSlow) { try await answer.body.next() }
        await closed.wait()
    }

    @Test(arguments: [(20, 1), (25, 2), (40, 2)])
    func `a body that moves steadily has no more time than the longest`(
        longest: Int, rounds: Int
    ) async throws {
        let clock = StillClock()
        let client = CurlClient(reach: .anywhere) { clock.now }
        let closed = Signal()
        let peer = try ScriptedPeer { _, _ in
            .hold(
                "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"
                    + String(repeating: "a", count: 40_960), closed)
        }
        defer { peer.stop() }
        let answer = try await client.open(
            OutgoingRequest(
                .get, peer.url(), timeout: .seconds(20), longest: .seconds(longest)))
        var left = 40_960
        while left > 0 { left -= try await answer.body.next()?.count ?? left }
        // Without the bound it would be put off by the window, for what moved in it.
        clock.advance(by: .seconds(20))
        client.lookAtClock()
        if rounds > 1 {
            clock.advance(by: .seconds(longest - 20))
            client.lookAtClock()
        }
        await #expect(throws: BodyError.tooSlow) { try await answer.body.next() }
        await closed.wait()
    }

    @Test func `a body that is cut off is reported to its reader`() async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose(Self.begun) }
        defer { peer.stop() }
        let answer = try await Self.client.open(OutgoingRequest(.get, peer.url()))
        await #expect(throws: BodyError.disconnected) {
            while try await answer.body.next() != nil {}
        }
    }

    @Test func `cancelling the caller ends the transfer`() async throws {
        let (begun, closed) = (Signal(), Signal())
        let peer = try ScriptedPeer { _, _ in
            begun.set()
            return .hold("", closed)
        }
        defer { peer.stop() }
        let request = OutgoingRequest(.get, peer.url(), timeout: .seconds(600))
        let task = Task { try await Self.client.send(request) }
        await begun.wait()
        task.cancel()
        let error = await #expect(throws: OutgoingError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        await closed.wait()
    }

    @Test func `a caller that is cancelled already sends no request`() async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose("") }
        defer { peer.stop() }
        let url = peer.url()
        let (go, task) = (Signal(), Signal())
        let asking = Task {
            task.set()
            await go.wait()
            return try await Self.client.send(OutgoingRequest(.get, url))
        }
        await task.wait()
        asking.cancel()
        go.set()
        let error = await #expect(throws: OutgoingError.self) { try await asking.value }
        #expect(error?.code == .cancelled)
        #expect(peer.requests.isEmpty)
    }

    @Test func `letting an unread body go ends the transfer`() async throws {
        let closed = Signal()
        let peer = try ScriptedPeer { _, _ in .hold(Self.begun, closed) }
        defer { peer.stop() }
        var answer: OutgoingAnswer? = try await Self.client.open(
            OutgoingRequest(.get, peer.url(), timeout: .seconds(600)))
        #expect(answer?.status == .ok)
        answer = nil
        await closed.wait()
    }

    @Test func `letting the client go ends what is under way`() async throws {
        let (begun, closed) = (Signal(), Signal())
        let peer = try ScriptedPeer { _, _ in
            begun.set()
            return .hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", closed)
        }
        defer { peer.stop() }
        do {
            let client = CurlClient(reach: .anywhere)
            let answer = try await client.open(
                OutgoingRequest(.get, peer.url(), timeout: .seconds(600)))
            #expect(answer.status == .ok)
        }
        await closed.wait()
    }

    @Test func `a certificate has to be trusted and to name the host`() async throws {
        let certificate = try TestCertificate()
        let trusting = CurlClient(reach: .anywhere, authorityFile: certificate.chainFile)
        try await withServer(tls: certificate.context()) { request in
            Response(text: "\(request.host) \(request.isSecure)")
        } _: { server in
            let good = OutgoingRequest(.get, "https://localhost:\(server.port)/")
            let answer = try await trusting.send(good)
            #expect(
                try await answer.body.collect(upTo: 100)
                    == Array("localhost:\(server.port) true".utf8))
            let wrongName = OutgoingRequest(.get, "https://127.0.0.1:\(server.port)/")
            for (client, request) in [(trusting, wrongName), (Self.client, good)] {
                let error = await #expect(throws: OutgoingError.self) {
                    try await client.send(request)
                }
                #expect(error?.code == .security, "\(error?.description ?? "")")
            }
            let missing = CurlClient(reach: .anywhere, authorityFile: "/nowhere/ca.pem")
            let error = await #expect(throws: OutgoingError.self) { try await missing.send(good) }
            #expect(error?.code == .security)
        }
    }

    @Test func `a peer that speaks no TLS is a fault of security`() async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose("") }
        defer { peer.stop() }
        try await withServer { _ in
            Response(text: "plain")
        } _: { server in
            let error = await #expect(throws: OutgoingError.self) {
                try await Self.client.send(
                    OutgoingRequest(.get, "https://127.0.0.1:\(server.port)/"))
            }
            #expect(error?.code == .security)
        }
    }
}
