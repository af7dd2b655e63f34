import DeskBroker
import DeskBytes
import DeskCrypto
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

/// What the channel is known to send and to accept (protocol page 13), as reported by one of its
/// clients that folds nothing and looks at nothing twice.
@Suite struct WireFactTests {
    private func delivered(_ request: OutgoingRequest) throws -> JSONValue {
        guard case .bytes(let bytes) = request.body else { throw BodyError.malformed }
        return try JSONDocument(parsing: Gzip.decompress(bytes, limitBytes: 9_000_000)).root
    }

    private func isUpperHex(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
            }
    }

    @Test
    func `a customer's attachment has its signature and key in capitals and a number as size`()
        async throws
    {
        let gateway = try await TestGateway()
        let file = [UInt8](0...255)
        let blob = try await gateway.parts.blobs.store(file)
        try await gateway.delivering {
            try await gateway.sayWithFile(blob.id, byteCount: blob.byteCount, id: uuid(5))
            try await gateway.client.wait(for: 2)
        }
        let dictionary = try #require(
            try delivered(gateway.client.requests[1])["attachments"]?[0])
        #expect(dictionary["size"]?.int == file.count)
        #expect(isUpperHex(dictionary["signature"]?.string ?? ""))
        let key = dictionary["key"]?.string ?? ""
        #expect(isUpperHex(key) && key.utf8.count == 66)
        #expect(try await gateway.download(dictionary) == file)
    }

    @Test func `a reply by reference has small digits and a text as size, and is gzip behind it`()
        async throws
    {
        let gateway = try await TestGateway()
        let long = String(repeating: "x", count: 11_000)
        let data = #"{"bid":"b:1","data":{"version":"1.0","images":["\#(long)"]}}"#
        try await gateway.delivering {
            try await gateway.answer(with: data, id: uuid(6))
            try await gateway.client.wait(for: 1)
        }
        let reference = try #require(
            try delivered(gateway.client.requests[0])["interactiveDataRef"])
        for name in ["signature", "key"] {
            let text = reference[name]?.string ?? ""
            #expect(!text.isEmpty && text == text.lowercased(), "\(name)")
        }
        let packed = try await gateway.download(reference)
        #expect(reference["size"]?.string == String(packed.count))
        #expect(packed.starts(with: [0x1F, 0x8B]))
        let bare = try Gzip.decompress(packed, limitBytes: 100_000)
        #expect(bare.starts(with: "bplist00".utf8))
        for bytes in [packed, bare] {
            let answer = try await gateway.ask(
                .post, "/v1/decodePayload", ["bid": "b:1"], body: bytes)
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == data)
        }
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: 5_000_000))
        #expect(
            try await gateway.ask(.post, "/v1/decodePayload", ["bid": "b:1"], body: bomb).status
                == 413)
    }

    @Test func `a gzip body without its field is known by its first two bytes`() async throws {
        let gateway = try await TestGateway()
        let upstream = try await gateway.connectUpstream()
        func post(_ body: [UInt8]) async throws -> Response {
            await gateway.handler.respond(
                to: try Request(
                    method: .post, target: "/v1/message",
                    headers: [
                        "authorization": "Bearer \(gateway.token())", "id": uuid(1),
                        "source-id": gateway.business.text,
                        "destination-id": gateway.customer.text,
                    ], body: body))
        }
        let text = gateway.payload(uuid(1), "text", #""body":"hi""#)
        let packed = try Gzip.compress(Array(text.utf8))
        #expect(try await post(packed).status == .ok)
        #expect(try await gateway.messages().count == 1)
        #expect(try await post(Array(packed.dropLast(9))).status == .badRequest)
        let bomb = try Gzip.compress([UInt8](repeating: 0x20, count: 4_194_305))
        #expect(try await post(bomb).status == .contentTooLarge)

        let link = GatewayLinkID(UniqueID(high: 3, low: 2))
        let brought = """
            {"v":1,"id":"\(uuid(2))","sourceId":"urn:mbid:AQAAYw==",\
            "destinationId":"\(gateway.business.text)","type":"text","body":"hi"}
            """
        let answer = await gateway.handler.respond(
            to: try Request(
                method: .post, target: "/msp/\(link.text)/message",
                headers: [
                    "authorization": "Bearer \(upstream)", "id": uuid(2),
                    "source-id": "urn:mbid:AQAAYw==", "destination-id": gateway.business.text,
                ], body: try Gzip.compress(Array(brought.utf8))))
        #expect(answer.status == .ok)
    }

    @Test func `a closed conversation is a session that is not found, and why is in the wire log`()
        async throws
    {
        let gateway = try await TestGateway()
        _ = try await gateway.parts.broker.change(
            gateway.conversation, .leave, by: .customer(device: "d"))
        let answer = try await gateway.post(
            gateway.payload(uuid(1), "text", #""body":"hello""#), id: uuid(1))
        #expect(answer.status == 410)
        #expect(answer.text == "410 Gone : Session not found")
        let log = try #require(try await gateway.exchanges().first)
        #expect(String(decoding: log.findings, as: UTF8.self).contains("closed the conversation"))
    }

    @Test func `old names of an attachment include the signature in hexadecimal digits`()
        async throws
    {
        let gateway = try await TestGateway()
        let token = try await gateway.connectUpstream()
        let signature: [UInt8] = [1, 0xAB, 0xCD]
        let key = [UInt8](repeating: 7, count: 32)
        var cipher = try AESCounter(key: key)
        let sealed = cipher.apply([1, 2, 3])
        gateway.client.script.withLock { script in
            script = { request, _ throws(OutgoingError) in
                guard request.url.hasSuffix("/preDownload") else {
                    return OutgoingAnswer(status: .ok, body: RequestBody(sealed))
                }
                guard request.headers["mmcs-signature"] == Base64.encode(signature) else {
                    return OutgoingAnswer(status: .badRequest)
                }
                return OutgoingAnswer(
                    status: .ok,
                    body: RequestBody(Array(#"{"download-url":"https://upstream.example/g"}"#.utf8))
                )
            }
        }
        let rest = """
            "type":"text","body":"\u{FFFC}","attachments":[{"name":"a.bin","mime-type":"a/b",\
            "file-size":"3","mmcs-url":"https://upstream.example/m","mmcs-owner":"M1",\
            "mmcs-signature-hex":"01ABCD","decryption-key":"00\(Hex.encode(key))"}]
            """
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let conversation = try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
        let messages = try await gateway.store.messages(in: conversation.id, .newest, limit: 9)
        #expect(messages.elements.first?.facts.attachments.map(\.byteCount) == [3])
    }

    @Test(arguments: ["1", "1.0"])
    func `a reply of either version is accepted, and nothing is found in it`(
        _ version: String
    ) async throws {
        let gateway = try await TestGateway()
        let token = try await gateway.connectUpstream()
        let rest = """
            "type":"interactive","interactiveData":{"bid":\
            "com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:\
            com.apple.icloud.apps.messages.business.extension",\
            "sessionIdentifier":"9c1b2f5e-1111-4a6b-9d0a-0000000000bb",\
            "data":{"version":"\(version)","requestIdentifier":"r-1","quick-reply":{\
            "selectedIndex":0,"selectedIdentifier":"yes","items":[\
            {"identifier":"yes","title":"Yes"},{"identifier":"no","title":"No"}]}}}
            """
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let conversation = try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
        let messages = try await gateway.store.messages(in: conversation.id, .newest, limit: 9)
        let reply = try #require(messages.elements.first)
        #expect(reply.facts.kind == .quickReply && reply.facts.summary == "Chose Yes")
        #expect(
            reply.facts.warnings.isEmpty, "\(String(decoding: reply.facts.warnings, as: UTF8.self))"
        )
    }

    // MARK: Judged by the business

    private func payment(_ gateway: TestGateway, _ id: String) -> String {
        gateway.payload(
            id, "interactive",
            """
            "interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:\
            0000000000:com.apple.icloud.apps.messages.business.extension","data":{"version":"1.0",\
            "requestIdentifier":"r-1","payment":{"paymentRequest":{"applePay":{\
            "merchantIdentifier":"merchant.example","supportedNetworks":["visa"],\
            "merchantCapabilities":["supports3DS"]},"countryCode":"JP","currencyCode":"JPY",\
            "lineItems":[{"label":"Tea","amount":"4","type":"final"}],\
            "total":{"label":"Tea","amount":"4","type":"final"}},"merchantSession":{"a":"b"},\
            "endpoints":{"paymentGatewayUrl":"http://shop.example.com/pay"}}},\
            "receivedMessage":{"title":"Tea"},"replyMessage":{"title":"Tea"}}
            """)
    }

    @Test
    func `a payment endpoint without TLS is refused in a live business and accepted in a test one`()
        async throws
    {
        let test = try await TestGateway()
        let taken = try await test.post(payment(test, uuid(1)), id: uuid(1))
        #expect(taken.status == 200, "\(taken.text)")
        let live = try await TestGateway(mode: .live)
        let refused = try await live.post(payment(live, uuid(2)), id: uuid(2))
        #expect(refused.status == 400 && refused.text.contains("https"), "\(refused.text)")
        #expect(try await live.messages().isEmpty)
    }

    // MARK: One commit

    @Test func `a message that is dropped leaves no hold behind, and keeps no upload`() async throws
    {
        let gateway = try await TestGateway()
        let first = gateway.payload(uuid(1), "text", #""body":"hello""#)
        #expect(try await gateway.post(first, id: uuid(1)).status == 200)
        let members = try await gateway.upload([1, 2, 3])
        let dictionary = String(decoding: JSON.object(members).bytes(), as: UTF8.self)
        let second = gateway.payload(
            uuid(1), "text", #""body":"\uFFFC","attachments":[\#(dictionary)]"#)
        #expect(try await gateway.post(second, id: uuid(1)).status == 200)
        #expect(try await gateway.messages().count == 1)
        let file = AttachmentID(.sha256([1, 2, 3]))
        #expect(
            try await gateway.store.findAttachment(
                file, heldBy: .conversation(gateway.conversation)) == nil)
        let url = try #require(members.first { $0.0 == "url" }?.1)
        guard case .string(let address) = url, let id = address.split(separator: "/").last else {
            Issue.record("no url")
            return
        }
        let object = try #require(try await gateway.store.findMMCSObject(String(id)))
        #expect(object.keptUntil != nil)
    }

    @Test func `an upstream's message that is dropped leaves no hold behind`() async throws {
        let gateway = try await TestGateway()
        let token = try await gateway.connectUpstream()
        var cipher = try AESCounter(key: [UInt8](repeating: 7, count: 32))
        let sealed = cipher.apply([1, 2, 3])
        gateway.client.script.withLock { script in
            script = { request, _ throws(OutgoingError) in
                OutgoingAnswer(
                    status: .ok,
                    body: RequestBody(
                        request.url.hasSuffix("/preDownload")
                            ? Array(#"{"download-url":"https://upstream.example/g"}"#.utf8)
                            : sealed))
            }
        }
        #expect(
            try await gateway.bring(#""type":"text","body":"a""#, id: uuid(1), token: token).status
                == .ok)
        let key = String(repeating: "07", count: 32)
        let rest = """
            "type":"text","body":"\u{FFFC}","attachments":[{"name":"a","mimeType":"a/b","size":3,\
            "url":"https://upstream.example/m","owner":"M1","signature":"01","key":"00\(key)"}]
            """
        #expect(try await gateway.bring(rest, id: uuid(1), token: token).status == .ok)
        let customer = try #require(CustomerID("urn:mbid:AQAAYw=="))
        let conversation = try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
        #expect(
            try await gateway.store.findAttachment(
                AttachmentID(.sha256([1, 2, 3])), heldBy: .conversation(conversation.id)) == nil)
    }
}
