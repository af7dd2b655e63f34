import DeskCrypto
import DeskHTTP
import DeskNet
import Foundation
import Testing

/// The same server over TLS, and files over both.
struct TLSServerTests {
    /// A TLS client over a plain one.
    private struct TLSClient {
        let session: TLSSession
        let socket: TestClient

        static func connect(port: Int, trusting certificate: String) throws -> TLSClient {
            let context = try TLSContext(clientTrusting: certificate)
            let client = TLSClient(
                session: try TLSSession(context, peerName: "localhost"),
                socket: try TestClient(port: port))
            while try client.session.handshake() == .needsInput {
                try client.flush()
                let bytes = try client.socket.receive()
                try client.session.receive(bytes.span)
            }
            // What ends the handshake leaves with the first request, as clients like to do.
            return client
        }

        func send(_ text: String) throws {
            let bytes = Array(text.utf8)
            try session.write(bytes.span)
            try flush()
        }

        func receiveAll() throws -> [UInt8] {
            var plain: [UInt8] = []
            while true {
                switch try session.read(into: &plain, upTo: 65_536) {
                case .done: continue
                case .ended: return plain
                case .needsInput:
                    let bytes = try socket.receive()
                    guard !bytes.isEmpty else { throw TestClient.Failure(step: "no goodbye") }
                    try session.receive(bytes.span)
                }
            }
        }

        private func flush() throws {
            let bytes = session.takeOutput()
            if !bytes.isEmpty { try socket.send(bytes) }
        }
    }

    private static func handler(_ file: URL) -> @Sendable (Request) async -> Response {
        { request in
            guard request.path.segments == ["file"] else {
                do throws(BodyError) {
                    let body = try await request.body.collect(upTo: 10_000_000)
                    return Response(type: "text/plain", Array("\(request.isSecure)".utf8) + body)
                } catch { return .refusal(error) }
            }
            return .file(
                at: file.path, size: 3_000_000, headers: ["Content-Type": "image/png"],
                validators: Validators(contentMark: "m"), request: request)
        }
    }

    /// Three million bytes in a file that is removed with this.
    private final class TestFile: Sendable {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("frontdesk-file-\(UUID().uuidString)")
        let content = RandomBytes.make(3_000_000)

        init() throws { try Data(content).write(to: url) }

        deinit { try? FileManager.default.removeItem(at: url) }  // Safe: the file is temporary.
    }

    @Test func `requests, uploads and files go over TLS`() async throws {
        let certificate = try TestCertificate()
        let file = try TestFile()
        let context = try certificate.context()
        try await withServer(tls: context, handler: Self.handler(file.url)) { server in
            try await blocking {
                let client = try TLSClient.connect(
                    port: server.port, trusting: certificate.chainFile)
                #expect(client.session.agreed.hasPrefix("TLSv1.3 "))
                let body = String(repeating: "x", count: 2_000_000)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n\(body)")
                try client.send("GET /file HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let all = try client.receiveAll()
                #expect(all.suffix(file.content.count).elementsEqual(file.content))
                #expect(all.count > 5_000_000)
            }
        }
    }

    @Test func `a fast upload is not mistaken for a slow one`() async throws {
        var limits = ServerLimits()
        limits.uploadComplete = .seconds(30)
        let certificate = try TestCertificate()
        let context = try certificate.context()
        let handler = Self.handler(URL(fileURLWithPath: "/"))
        try await withServer(limits: limits, tls: context, handler: handler) { server in
            try await blocking {
                let client = try TLSClient.connect(
                    port: server.port, trusting: certificate.chainFile)
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                        + "Content-Length: 9000000\r\n\r\n")
                try client.send(String(repeating: "x", count: 9_000_000))
                let all = try client.receiveAll()
                #expect(all.prefix(12).elementsEqual("HTTP/1.1 200".utf8))
                #expect(all.count > 9_000_000)
            }
        }
    }

    @Test(arguments: [
        ("", "200", 0, 3_000_000), ("Range: bytes=10-99\r\n", "206", 10, 100),
        ("Range: bytes=-5\r\n", "206", 2_999_995, 3_000_000),
        ("Range: bytes=10-99\r\nIf-Range: \"x\"\r\n", "200", 0, 3_000_000),
    ])
    func `a file or its part is sent by the kernel`(
        fields: String, status: String, start: Int, end: Int
    ) async throws {
        let file = try TestFile()
        try await withServer(handler: Self.handler(file.url)) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET /file HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                let head = try client.receive(until: "\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.1 \(status) "))
                #expect(head.contains("Content-Length: \(end - start)\r\n"))
                let bytes = try client.receive(exactly: end - start)
                #expect(bytes.elementsEqual(file.content[start..<end]))
            }
        }
    }

    @Test func `a reloaded certificate serves new connections`() async throws {
        let certificate = try TestCertificate()
        let context = try certificate.context()
        let handler = Self.handler(URL(fileURLWithPath: "/"))
        try await withServer(tls: context, handler: handler) { server in
            try await blocking {
                let old = try TLSClient.connect(port: server.port, trusting: certificate.chainFile)
                server.reload(certificate: try certificate.context())
                let new = try TLSClient.connect(port: server.port, trusting: certificate.chainFile)
                for client in [old, new] {
                    try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    let all = String(decoding: try client.receiveAll(), as: UTF8.self)
                    #expect(all.hasSuffix("true"))
                }
            }
        }
    }

    @Test func `plain HTTP on a TLS port ends at once`() async throws {
        let certificate = try TestCertificate()
        let context = try certificate.context()
        let handler = Self.handler(URL(fileURLWithPath: "/"))
        try await withServer(tls: context, handler: handler) { server in
            try await blocking {
                let client = try TestClient(port: server.port)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try !client.receiveAll().contains("200"))
            }
        }
    }
}
