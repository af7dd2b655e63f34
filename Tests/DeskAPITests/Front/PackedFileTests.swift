import APITestSupport
import DeskBytes
import DeskHTTP
import DeskLog
import DeskWeb
import Testing

@testable import DeskAPI

/// Our own files: packed once, distinguished by strong validators, sent again only when they
/// changed.
struct PackedFileTests {
    private static let script = Array(String(repeating: "let a = 1;\n", count: 200).utf8)

    private static func makeServer() async throws -> TestServer {
        let web = FileSet(["a.js": script, "b.png": script, "c.js": Array("let c;".utf8)])
        await web.pack()
        return try await TestServer(web: web)
    }

    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("GZIP", true), ("x-gzip", true),
        ("gzip; q=1.0", true), ("", false), ("br", false), ("gzip;q=0", false),
        ("gzip; Q=0.000", false), ("*;q=0", false), ("*, gzip;q=0", false), ("identity", false),
        ("*;q=0, gzip", true),
    ])
    func `a file is packed for those who unpack`(accepts: String, isPacked: Bool) async throws {
        let server = try await Self.makeServer()
        let answer = try await server.get("/web/a.js", headers: ["Accept-Encoding": accepts])
        #expect(answer.headers["content-encoding"] == (isPacked ? "gzip" : nil))
        #expect(answer.headers["vary"] == "Accept-Encoding")
        let bytes = answer.bytes
        #expect((bytes.count < Self.script.count) == isPacked)
        let plain =
            isPacked ? try Gzip.decompress(bytes, limitBytes: Self.script.count) : bytes
        #expect(plain == Self.script)
    }

    @Test func `a packed file is kept packed only, and unpacked for who does not unpack`()
        async throws
    {
        let web = FileSet(["a.js": Self.script, "b.png": Self.script])
        let packed = try #require(web["a.js"]?.packed)
        #expect(packed.heldByteCount == Self.script.count)
        for _ in 1...2 {
            await web.pack()
            #expect(packed.heldByteCount == packed.bytes?.count)
            #expect(packed.heldByteCount < Self.script.count / 10)
            #expect(web["a.js"]?.bytes == Self.script)
        }
        #expect(web["b.png"]?.bytes == Self.script)
    }

    @Test func `plain and packed have a strong tag each, and only its own counts`() async throws {
        let server = try await Self.makeServer()
        let plain = try await server.get("/web/a.js")
        let packed = try await server.get("/web/a.js", headers: ["Accept-Encoding": "gzip"])
        let tag = try #require(plain.headers["etag"])
        let packedTag = try #require(packed.headers["etag"])
        #expect(tag != packedTag && tag.hasPrefix("\"") && packedTag.hasPrefix("\""))
        for (accepts, known, status) in [
            ("identity", tag, 304), ("identity", packedTag, 200), ("gzip", packedTag, 304),
            ("gzip", tag, 200), ("gzip", "W/\(packedTag)", 304), ("gzip", "*", 304),
        ] {
            let answer = try await server.get(
                "/web/a.js", headers: ["Accept-Encoding": accepts, "If-None-Match": known])
            #expect(answer.status == status, "\(accepts) \(known)")
            if status == 304 {
                #expect(answer.headers["etag"] != nil)
                #expect(answer.headers["vary"] == "Accept-Encoding")
            }
        }
    }

    @Test func `what gains nothing is sent unpacked to every client`() async throws {
        let server = try await Self.makeServer()
        for path in ["/web/b.png", "/web/c.js"] {
            let answer = try await server.get(path, headers: ["Accept-Encoding": "gzip"])
            #expect(answer.headers["content-encoding"] == nil)
            #expect(answer.headers["vary"] == nil)
        }
    }

    @Test func `a range is a part of the bytes that the tag names`() async throws {
        let server = try await Self.makeServer()
        let packed = try await server.get("/web/a.js", headers: ["Accept-Encoding": "gzip"])
        let part = try await server.get(
            "/web/a.js", headers: ["Accept-Encoding": "gzip", "Range": "bytes=2-9"])
        #expect(part.status == 206)
        #expect(part.bytes == Array(packed.bytes[2...9]))
        #expect(part.headers["content-range"] == "bytes 2-9/\(packed.bytes.count)")
    }

    @Test(
        arguments: zip(
            [["Range": "bytes=999999999-"], ["If-Match": "\"other\""]] as [HeaderFields],
            [ProblemCode.rangeNotSatisfiable, .preconditionFailed]))
    func `what the request's fields refuse is a problem, and counted`(
        headers: HeaderFields, code: ProblemCode
    ) async throws {
        let server = try await Self.makeServer()
        let answer = try await server.get("/web/a.js", headers: headers)
        #expect(answer.status == code.status.code)
        #expect(answer.code == code.rawValue)
        let counts = server.services.metrics.text()
        #expect(counts.contains("frontdesk_refused_total{reason=\"\(code.rawValue)\"} 1\n"))
    }

    @Test func `until it is packed a file is sent plain`() async throws {
        let server = try await TestServer(web: FileSet(["a.js": Self.script]))
        let answer = try await server.get("/web/a.js", headers: ["Accept-Encoding": "gzip"])
        #expect(answer.bytes == Self.script)
        #expect(answer.headers["vary"] == "Accept-Encoding")
    }
}
