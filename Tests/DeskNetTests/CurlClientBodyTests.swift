import DeskCrypto
import DeskHTTP
import DeskNet
import Synchronization
import Testing

/// Large bodies there and back, with bounded memory.
struct CurlClientBodyTests {
    static let client = CurlClient(reach: .anywhere)
    static let pieceBytes = 65_536
    /// 100 MB in whole pieces, and a bit.
    static let pieces = 1_526
    static let bytes = pieceBytes * pieces
    /// What the kernel's buffers of one connection can hold, and more; far less than the body.
    static let mostOnTheWay = 32_000_000

    static func piece(_ number: Int) -> [UInt8] {
        let start = UInt8(truncatingIfNeeded: number)
        return [UInt8](repeating: start, count: pieceBytes - 1) + [start ^ 0xFF]
    }

    static let digest: [UInt8] = {
        var digest = SHA256()
        for number in 0..<pieces { digest.update(piece(number)) }
        return digest.finish()
    }()

    /// Pieces of the large body, counted as they are asked for.
    final class Pieces: BodySource {
        let asked = Atomic(0)
        let read: @Sendable () -> Int
        let mostAhead = Atomic(0)
        private let count: Int
        private let failure: BodyError?

        init(
            _ count: Int = pieces, failure: BodyError? = nil,
            read: @escaping @Sendable () -> Int = { 0 }
        ) {
            self.count = count
            self.failure = failure
            self.read = read
        }

        func next() async throws(BodyError) -> [UInt8]? {
            let number = asked.load(ordering: .relaxed)
            guard number < count else {
                if let failure { throw failure }
                return nil
            }
            asked.store(number + 1, ordering: .relaxed)
            let ahead = (number + 1) * pieceBytes - read()
            mostAhead.store(max(ahead, mostAhead.load(ordering: .relaxed)), ordering: .relaxed)
            return piece(number)
        }
    }

    /// A number that two tasks see.
    final class Count: Sendable {
        let value = Atomic(0)
    }

    @Test func `100 MB go up piece by piece, never far ahead of their reader`() async throws {
        let read = Count()
        try await withServer { request in
            var digest = SHA256()
            do throws(BodyError) {
                while let piece = try await request.body.next() {
                    digest.update(piece)
                    read.value.add(piece.count, ordering: .relaxed)
                }
            } catch { return .refusal(error) }
            return Response(type: "application/octet-stream", digest.finish())
        } _: { server in
            let source = Pieces { read.value.load(ordering: .relaxed) }
            let answer = try await Self.client.send(
                OutgoingRequest(
                    .post, "http://127.0.0.1:\(server.port)/",
                    body: .pieces(source, byteCount: Int64(Self.bytes)), timeout: .seconds(30)))
            #expect(try await answer.body.collect(upTo: 32) == Self.digest)
            #expect(source.mostAhead.load(ordering: .relaxed) < Self.mostOnTheWay)
        }
    }

    @Test func `100 MB come down piece by piece, and wait in the socket for their reader`()
        async throws
    {
        let written = Count()
        try await withServer { request in
            guard request.path.text == "/large" else { return Response(text: "small") }
            return Response(
                status: .ok,
                body: .stream { stream in
                    for number in 0..<Self.pieces {
                        do throws(StreamError) {
                            try await stream.write(Self.piece(number))
                        } catch { return }
                        written.value.add(Self.pieceBytes, ordering: .relaxed)
                    }
                })
        } _: { server in
            let url = "http://127.0.0.1:\(server.port)"
            let answer = try await Self.client.open(
                OutgoingRequest(.get, url + "/large", timeout: .seconds(30)))
            // While this body is not read, 300 other requests pass over the same thread.
            for _ in 0..<300 {
                _ = try await Self.client.send(OutgoingRequest(.get, url + "/small"))
            }
            #expect(written.value.load(ordering: .relaxed) < Self.mostOnTheWay)
            var digest = SHA256()
            var count = 0
            while let piece = try await answer.body.next() {
                #expect(piece.count <= 65_536 && !piece.isEmpty)
                count += piece.count
                digest.update(piece)
            }
            #expect(count == Self.bytes)
            #expect(digest.finish() == Self.digest)
            #expect(try await answer.body.next() == nil)
        }
    }

    @Test(arguments: [Method.post, .put, .patch, .delete], [1, 5_120, 5_121, 16_384, 16_385])
    func `a body in memory arrives whole, sent with the head or behind it`(
        method: Method, count: Int
    ) async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let body = [UInt8](repeating: 0x61, count: count)
        // 5 s are enough for 5,120 bytes; a longer body has to move to get more time.
        for timeout in [5, 60] {
            let request = OutgoingRequest(
                method, peer.url(), body: .bytes(body), timeout: .seconds(timeout))
            #expect(try await Self.client.send(request).status == .ok)
        }
        let host = "Host: 127.0.0.1:\(peer.port)"
        let wanted =
            "\(method.token) / HTTP/1.1\r\n\(host)\r\nContent-Length: \(count)\r\n\r\n"
            + String(repeating: "a", count: count)
        #expect(peer.requests == [wanted, wanted])
    }

    @Test func `many requests at once are all answered`() async throws {
        try await withServer { request in
            Response(text: request.path.text)
        } _: { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let answer = try await Self.client.send(
                            OutgoingRequest(.get, "http://127.0.0.1:\(server.port)/\(number)"))
                        let text = try await answer.body.collect(upTo: 100)
                        return text == Array("/\(number)".utf8)
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test(arguments: [
        (2, 3, nil as BodyError?, "ended after 131072 of 196608 bytes"),
        (3, 2, nil, "longer than 131072 bytes"), (1, 2, .tooSlow, "body_too_slow"),
        (0, 1, .disconnected, "body_incomplete"),
    ])
    func `a body of another length than announced ends the transfer`(
        given: Int, announced: Int, failure: BodyError?, words: String
    ) async throws {
        try await withServer { request in
            do throws(BodyError) {
                return Response(text: "\(try await request.body.collect(upTo: 1_000_000).count)")
            } catch { return .refusal(error) }
        } _: { server in
            let source = Pieces(given, failure: failure)
            let error = await #expect(throws: OutgoingError.self) {
                try await Self.client.send(
                    OutgoingRequest(
                        .post, "http://127.0.0.1:\(server.port)/",
                        body: .pieces(source, byteCount: Int64(announced * Self.pieceBytes))))
            }
            #expect(error?.code == .cutOff)
            #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
        }
    }

    @Test func `an empty body of pieces is sent as no bytes`() async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await Self.client.send(
            OutgoingRequest(.post, peer.url(), body: .pieces(Pieces(0), byteCount: 0)))
        #expect(answer.status == .ok)
        #expect(peer.requests.first?.contains("\r\nContent-Length: 0\r\n") == true)
    }
}
