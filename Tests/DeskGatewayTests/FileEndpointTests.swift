import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import GatewayTestSupport
import Testing

@Suite struct FileEndpointTests {
    private let picture = [UInt8]((0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func `an uploaded attachment arrives decrypted, and is held by the conversation alone`()
        async throws
    {
        let gateway = try await TestGateway()
        let dictionary = try await gateway.upload(picture)
        let body = gateway.payload(
            uuid(1), "text",
            #""body":"\uFFFC","attachments":\#(JSON.array([.object(dictionary)]).text())"#)
        #expect(try await gateway.post(body, id: uuid(1)) == (200, ""))
        let message = try #require(try await gateway.messages().first)
        #expect(message.payload.carriedBytes == Array(body.utf8))
        let use = try #require(message.facts.attachments.first)
        #expect(use.name == "photo.png")
        #expect(use.mediaType == "image/png")
        #expect(use.byteCount == Int64(picture.count))
        let file = try #require(try await gateway.parts.blobs.openBlob(use.id))
        #expect(try await file.read(at: 0, atMost: 200_000) == picture)
        #expect(
            try await gateway.store.findAttachment(
                use.id, heldBy: .conversation(gateway.conversation)) == use)
    }

    @Test func `the old spelling of an attachment is accepted too`() async throws {
        let gateway = try await TestGateway()
        var old: [(String, JSON)] = []
        let names = [
            "mimeType": "mime-type", "size": "file-size", "url": "mmcs-url",
            "owner": "mmcs-owner", "key": "decryption-key",
        ]
        for (name, value) in try await gateway.upload(picture) {
            old.append((names[name] ?? name, value))
        }
        let body = gateway.payload(
            uuid(1), "text",
            #""body":"\uFFFC","attachments":\#(JSON.array([.object(old)]).text())"#)
        let answer = try await gateway.post(body, id: uuid(1))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await gateway.messages().first?.facts.attachments.count == 1)
    }

    struct Wrong: Sendable {
        let member: String
        let value: String
        let says: String
    }

    @Test(arguments: [
        Wrong(member: "url", value: "https://elsewhere.example/x", says: "/attachments/0/url"),
        Wrong(member: "key", value: "00ab", says: "64 hexadecimal"),
        Wrong(member: "size", value: "7", says: "bytes were uploaded"),
    ])
    func `an attachment that cannot be fetched refuses the message`(_ wrong: Wrong) async throws {
        let gateway = try await TestGateway()
        let dictionary = try await gateway.upload(picture).map { member in
            member.0 == wrong.member ? (member.0, JSON.string(wrong.value)) : member
        }
        let body = gateway.payload(
            uuid(1), "text",
            #""body":"\uFFFC","attachments":\#(JSON.array([.object(dictionary)]).text())"#)
        let answer = try await gateway.post(body, id: uuid(1))
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.text.contains(wrong.says), "\(answer.text)")
        #expect(try await gateway.messages().isEmpty)
    }

    @Test func `an upload of another size, to another's address or too late is refused`()
        async throws
    {
        let gateway = try await TestGateway()
        #expect(try await gateway.ask(.get, "/v1/preUpload").status == 400)
        #expect(
            try await gateway.ask(.get, "/v1/preUpload", ["size": "100000001"]).status == 413)
        #expect(
            try await gateway.ask(.get, "/v1/preUpload", ["size": "4"], isSigned: false).status
                == 401)
        let place = try await gateway.askJSON(.get, "/v1/preUpload", ["size": "4"])
        let address = try #require(place["upload-url"]?.string)
        for body in [[1, 2, 3], [1, 2, 3, 4, 5]] as [[UInt8]] {
            let answer = try await gateway.ask(.post, address, body: body, isSigned: false)
            #expect(answer.status == 400)
        }
        let forged = address.replacing(".4.", with: ".5.")
        #expect(
            try await gateway.ask(.post, forged, body: [1, 2, 3, 4, 5], isSigned: false).status
                == 403)
        #expect(
            try await gateway.ask(.post, address, body: [1, 2, 3, 4], isSigned: false).status
                == 200)
    }

    @Test func `a hexadecimal signature is refused with what to do about it`() async throws {
        let gateway = try await TestGateway()
        let dictionary = JSON.object(try await gateway.upload([1, 2, 3]))
        let root = try JSONDocument(parsing: dictionary.bytes()).root
        let signature = try #require(Base64.decode(root["signature-base64"]?.string ?? ""))
        func status(_ text: String) async throws -> (status: Int, body: [UInt8]) {
            try await gateway.ask(
                .get, "/v1/preDownload",
                [
                    "url": root["url"]?.string ?? "", "owner": root["owner"]?.string ?? "",
                    "signature": text,
                ])
        }
        let wrong = try await status(Hex.encode(signature))
        #expect(wrong.status == 400)
        #expect(String(decoding: wrong.body, as: UTF8.self).contains("as base64"))
        #expect(try await status("AAAA").status == 400)
        #expect(try await status(Base64.encode(signature)).status == 200)
    }

    @Test func `a customer's attachment is delivered encrypted, the same at every attempt`()
        async throws
    {
        let gateway = try await TestGateway { _, place in
            OutgoingAnswer(status: place <= 2 ? .serviceUnavailable : .ok)
        }
        let blob = try await gateway.parts.blobs.store(picture)
        try await gateway.delivering(schedule: RetrySchedule(waits: [.zero], jitter: 0)) {
            try await gateway.sayWithFile(blob.id, byteCount: blob.byteCount, id: uuid(5))
            try await gateway.client.wait(for: 4)
        }
        let texts = try gateway.client.requests.map { try unpacked($0) }
        #expect(texts[1].rawText == texts[3].rawText)
        let list = try #require(texts[1]["attachments"])
        #expect(list.count == 1)
        let dictionary = try #require(list[0])
        #expect(dictionary["name"]?.string == "photo.png")
        #expect(dictionary["size"]?.int == picture.count)
        #expect(try await gateway.download(dictionary) == picture)
    }

    private func unpacked(_ request: OutgoingRequest) throws -> JSONValue {
        guard case .bytes(let bytes) = request.body else { throw BodyError.malformed }
        return try JSONDocument(parsing: Gzip.decompress(bytes, limitBytes: 9_000_000)).root
    }

    @Test func `a large reply goes by reference, is fetched, decrypted and decoded`() async throws {
        let gateway = try await TestGateway()
        let data = #"{"bid":"b:1","data":{"version":"1.0","images":[\#(longText)]}}"#
        try await gateway.delivering {
            try await gateway.answer(with: data, id: uuid(6))
            try await gateway.client.wait(for: 1)
        }
        let body = try unpacked(gateway.client.requests[0])
        #expect(body["interactiveData"] == nil)
        let reference = try #require(body["interactiveDataRef"])
        #expect(reference["bid"]?.string == "b:1")
        let packed = try await gateway.download(reference)
        #expect(reference["size"]?.string == String(packed.count))
        let answer = try await gateway.ask(
            .post, "/v1/decodePayload", ["bid": "b:1"], body: packed)
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == data)
        #expect(
            try await gateway.ask(.post, "/v1/decodePayload", ["bid": "b:2"], body: packed).status
                == 403)
    }

    private var longText: String { #""\#(String(repeating: "x", count: 11_000))""# }
}
