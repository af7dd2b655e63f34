import DeskHTTP
import DeskNet
import Synchronization
import Testing

/// Names with several addresses: each is tried, and each is checked before it is connected to.
struct CurlClientAddressTests {
    /// A request's connection ends with its answer: the next one connects anew.
    private static let answer = ScriptedPeer.Act.answerAndClose(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    private static func client(
        _ reach: OutgoingReach, _ port: Int, _ addresses: String
    ) -> CurlClient {
        CurlClient(addresses: { ["peer.example:\(port):\(addresses)"] }, reach: reach)
    }

    private static func request(_ peer: ScriptedPeer) -> OutgoingRequest {
        OutgoingRequest(
            .post, peer.url(host: "peer.example"), body: .bytes(Array("body".utf8)))
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.2,127.0.0.1", "127.0.0.3,127.0.0.2,127.0.0.1", "[::1],127.0.0.1",
        // Never connected to, and passed over.
        "169.254.1.1,127.0.0.1", "127.0.0.2,169.254.1.1,[fe80::1],127.0.0.1",
        "127.0.0.1,169.254.1.1",
    ])
    func `addresses that refuse, or that may not be asked, are passed over for the next`(
        addresses: String
    ) async throws {
        let peer = try ScriptedPeer { _, _ in Self.answer }
        defer { peer.stop() }
        let client = Self.client(.anywhere, peer.port, addresses)
        for _ in 0..<2 {
            #expect(try await client.send(Self.request(peer)).status == .ok)
        }
        #expect(peer.connections == 2)
        #expect(peer.requests.allSatisfy { $0.contains("Host: peer.example:\(peer.port)\r\n") })
    }

    @Test(
        arguments: [
            ("127.0.0.2,127.0.0.3", .connection), ("169.254.1.1,[fe80::1]", .forbidden),
            // One of them was asked: it may be back later.
            ("169.254.1.1,127.0.0.2", .connection), ("127.0.0.2,169.254.1.1", .connection),
        ] as [(String, OutgoingError.Code)])
    func `a name of which no address answers says whether one was asked`(
        addresses: String, code: OutgoingError.Code
    ) async throws {
        let peer = try ScriptedPeer { _, _ in Self.answer }
        defer { peer.stop() }
        let client = Self.client(.anywhere, peer.port, addresses)
        let error = await #expect(throws: OutgoingError.self) {
            try await client.send(Self.request(peer))
        }
        #expect(error?.code == code)
        #expect(peer.connections == 0)
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1,127.0.0.1", "[::1],[::ffff:127.0.0.1],127.0.0.1",
        "[64:ff9b::7f00:1],[fd00::1],127.0.0.1",
    ])
    func `no private address of a name is connected to, whichever it is`(
        addresses: String
    ) async throws {
        let peer = try ScriptedPeer { _, _ in Self.answer }
        defer { peer.stop() }
        let error = await #expect(throws: OutgoingError.self) {
            try await Self.client(.publicOnly, peer.port, addresses).send(Self.request(peer))
        }
        #expect(error?.code == .forbidden)
        #expect(peer.connections == 0)
    }

    @Test func `a name whose address is another one later is checked at each request`() async throws
    {
        let peer = try ScriptedPeer { _, _ in Self.answer }
        defer { peer.stop() }
        let asked = Mutex(0)
        let port = peer.port
        let client = CurlClient(
            addresses: {
                let number = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                return ["peer.example:\(port):\(number == 2 ? "169.254.1.1" : "127.0.0.1")"]
            }, reach: .anywhere)
        #expect(try await client.send(Self.request(peer)).status == .ok)
        let error = await #expect(throws: OutgoingError.self) {
            try await client.send(Self.request(peer))
        }
        #expect(error?.code == .forbidden)
        #expect(try await client.send(Self.request(peer)).status == .ok)
        #expect(peer.connections == 2)
    }
}
