import DeskBytes
import DeskCrypto
import DeskGateway
package import DeskHTTP
package import DeskJSON
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

extension TestGateway {
    /// Asks an endpoint and gives the whole body.
    package func ask(
        _ method: DeskHTTP.Method, _ address: String, _ fields: HeaderFields = [:],
        body: [UInt8] = [], isSigned: Bool = true
    ) async throws -> (status: Int, body: [UInt8]) {
        var headers = fields
        if isSigned {
            headers.append("authorization", "Bearer \(token())")
            headers.append("source-id", business.text)
        }
        let path =
            address.hasPrefix(Self.origin) ? String(address.dropFirst(Self.origin.count)) : address
        let response = await handler.respond(
            to: try Request(method: method, target: path, headers: headers, body: body))
        return (response.status.code, try await Self.bytes(of: response.body))
    }

    /// Asks an endpoint that answers with JSON.
    package func askJSON(
        _ method: DeskHTTP.Method, _ address: String, _ fields: HeaderFields = [:],
        body: [UInt8] = []
    ) async throws -> JSONValue {
        let answer = try await ask(method, address, fields, body: body)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSONDocument(parsing: answer.body).root
    }

    /// Encrypts a file with a key of 32 equal bytes, uploads it, and gives its dictionary.
    package func upload(_ file: [UInt8], key byte: UInt8 = 7) async throws -> [(String, JSON)] {
        let key = [UInt8](repeating: byte, count: 32)
        var cipher = try AESCounter(key: key)
        let ciphertext = cipher.apply(file)
        let place = try await askJSON(
            .get, "/v1/preUpload", ["MMCS-Size": String(ciphertext.count)])
        let address = try #require(place["upload-url"]?.string)
        let answer = try await ask(.post, address, body: ciphertext, isSigned: false)
        #expect(answer.status == 200)
        let sum = try JSONDocument(parsing: answer.body).root["singleFile"]?["fileChecksum"]
        return [
            ("name", "photo.png"), ("mimeType", "image/png"),
            ("size", .string(String(ciphertext.count))),
            ("signature-base64", .string(try #require(sum?.string))),
            ("url", .string(try #require(place["mmcs-url"]?.string))),
            ("owner", .string(try #require(place["mmcs-owner"]?.string))),
            ("key", .string("00" + Hex.encode(key))),
        ]
    }

    /// Exchanges a dictionary's or a reference's members for the ciphertext, and decrypts it.
    package func download(_ dictionary: JSONValue) async throws -> [UInt8] {
        let signature = try #require(Hex.decode(dictionary["signature"]?.string ?? ""))
        let link = try await askJSON(
            .get, "/v1/preDownload",
            [
                "MMCS-Url": dictionary["url"]?.string ?? "",
                "MMCS-Signature": Base64.encode(signature),
                "MMCS-Owner": dictionary["owner"]?.string ?? "",
            ])
        let answer = try await ask(
            .get, try #require(link["download-url"]?.string), isSigned: false)
        #expect(answer.status == 200)
        let key = try #require(
            Hex.decode(String((dictionary["key"]?.string ?? "").dropFirst(2))))
        var cipher = try AESCounter(key: key)
        return cipher.apply(answer.body)
    }

    package static func bytes(of body: Response.Body) async throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .file(let path, let range):
            let file = TestFiles.bytes(at: path) ?? []
            return Array(file[range])
        case .openFile(let file, let range): return Array(TestFiles.bytes(of: file)[range])
        case .stream(let write), .counted(_, let write):
            let sink = GatheringSink()
            await write(ResponseStream(sink))
            guard !sink.isCut.load(ordering: .relaxed) else { throw BodyError.disconnected }
            return sink.bytes
        case .empty: return []
        case .cut: throw BodyError.disconnected
        case .steps, .socketSteps: throw BodyError.malformed
        }
    }
}

/// Keeps what a streamed answer writes.
private final class GatheringSink: ResponseSink {
    private let state = Mutex<[UInt8]>([])
    let isCut = Atomic(false)
    var bytes: [UInt8] { state.withLock { $0 } }
    var isDraining: Bool { false }

    func write(_ bytes: [UInt8]) async throws(StreamError) { state.withLock { $0 += bytes } }

    func cut() async { isCut.store(true, ordering: .relaxed) }
}
