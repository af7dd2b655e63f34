import DeskBroker
import DeskBytes
import DeskGateway
import DeskHTTP
import DeskJSON
import DeskModel
import GatewayTestSupport
import Testing

@Suite struct MessageEndpointTests {
    @Test func `a provider's text reaches the customer's conversation byte for byte`() async throws
    {
        let gateway = try await TestGateway()
        let body = gateway.payload(uuid(1), "text", #""body" : "Gr\u00fc\u00dfe","x":1"#)
        let answer = try await gateway.post(
            body, id: uuid(1), ["auto-reply": "true", "msp-agent": "bot 9"])
        #expect(answer.status == 200)
        #expect(answer.text == "")
        let messages = try await gateway.messages()
        #expect(messages.count == 1)
        let message = try #require(messages.first)
        #expect(message.id.text == uuid(1))
        #expect(message.payload.carriedBytes == Array(body.utf8))
        #expect(message.facts.origin == .gateway)
        #expect(message.facts.author == .provider("msp-1"))
        #expect(
            message.facts.headers == [
                HeaderField(name: "auto-reply", value: "true"),
                HeaderField(name: "msp-agent", value: "bot 9"),
            ])
        #expect(message.facts.summary == "Grüße")
    }

    @Test func `a repeated id is answered with 200 and dropped, whatever its body is`()
        async throws
    {
        let gateway = try await TestGateway()
        let first = gateway.payload(uuid(1), "text", #""body":"one""#)
        for body in [first, first, gateway.payload(uuid(1), "text", #""body":"two""#)] {
            #expect(try await gateway.post(body, id: uuid(1)).status == 200)
        }
        #expect(try await gateway.messages().count == 1)
        let log = try await gateway.exchanges()
        #expect(log.count == 3)
        #expect(String(decoding: log[0].findings, as: UTF8.self).contains("another body"))
        #expect(String(decoding: log[1].findings, as: UTF8.self).contains("same body"))
    }

    struct Refused: Sendable {
        let name: String
        let status: Int
        let says: String
        var change: [String: String?] = [:]
        var body: String?
        var id = uuid(1)
        var path = "/v1/message"
    }

    static let refused: [Refused] = [
        Refused(
            name: "no token", status: 401, says: "Authorization is missing",
            change: ["authorization": nil]),
        Refused(
            name: "no bearer", status: 403, says: "Bearer",
            change: ["authorization": "Basic eDp5"]),
        Refused(
            name: "rubbish", status: 403, says: "base64url",
            change: ["authorization": "Bearer x.y.z"]),
        Refused(
            name: "another business", status: 403, says: "source-id is no business",
            change: ["source-id": "0b5c1c1e-8f6b-4a5f-9d7e-2b1f3c4d5e6f"]),
        Refused(
            name: "an outsider", status: 404, says: "no customer of this business",
            change: ["destination-id": "urn:mbid:AAAA"]),
        Refused(
            name: "no customer's name", status: 404, says: "urn:mbid:",
            change: ["destination-id": "bob"]),
        Refused(name: "no id", status: 400, says: "header id", change: ["id": nil]),
        Refused(name: "no UUID", status: 400, says: "UUID", change: ["id": "7"]),
        Refused(name: "no JSON", status: 400, says: "no JSON", body: "{"),
        Refused(
            name: "another id in the body", status: 400, says: "id", id: uuid(2)),
        Refused(
            name: "half an envelope", status: 400, says: "sourceId, destinationId",
            body: #"{"v":1,"id":"\#(uuid(1))","type":"text"}"#),
        Refused(
            name: "a text for sign-in", status: 400, says: "sign-in requests only",
            path: "/v1/authenticate"),
        Refused(
            name: "an unknown coding", status: 415, says: "gzip",
            change: ["content-encoding": "br"]),
        Refused(
            name: "gzip that is none", status: 400, says: "not gzip",
            change: ["content-encoding": "gzip"]),
        Refused(name: "no such endpoint", status: 404, says: "no such endpoint", path: "/v1/x"),
        Refused(
            name: "too large", status: 413, says: "more than the",
            body: String(repeating: "x", count: 5 * 1_024 * 1_024)),
    ]

    @Test(arguments: refused.indices)
    func `what cannot be accepted is refused with a sentence and stores nothing`(
        _ place: Int
    ) async throws {
        let refused = Self.refused[place]
        let gateway = try await TestGateway()
        let body = refused.body ?? gateway.payload(uuid(1), "text", #""body":"hello""#)
        let answer = try await gateway.post(
            body, id: refused.id, to: refused.path, refused.change)
        #expect(answer.status == refused.status, "\(refused.name): \(answer.text)")
        #expect(answer.text.hasPrefix("\(refused.status) "), "\(refused.name): \(answer.text)")
        #expect(answer.text.contains(refused.says), "\(refused.name): \(answer.text)")
        #expect(try await gateway.messages().isEmpty)
    }

    @Test func `tokens of another key, age or issuer are refused, each with its reason`()
        async throws
    {
        let gateway = try await TestGateway()
        let now = TestGateway.now.milliseconds / 1_000
        let body = gateway.payload(uuid(1), "text", #""body":"hello""#)
        func status(_ claims: TokenClaims, key: [UInt8] = TestGateway.secret) async throws -> Int {
            let token = gateway.token(claims, key: key)
            return try await gateway.post(
                body, id: uuid(1), ["authorization": "Bearer \(token)"]
            ).status
        }
        #expect(try await status(TokenClaims(issuer: "msp-1", issuedAt: now), key: [1]) == 403)
        #expect(try await status(TokenClaims(issuer: "msp-2", issuedAt: now)) == 403)
        #expect(try await status(TokenClaims(issuer: "msp-1")) == 403)
        #expect(try await status(TokenClaims(issuer: "msp-1", issuedAt: now - 3_601)) == 403)
        #expect(try await status(TokenClaims(issuer: "msp-1", issuedAt: now + 3_601)) == 403)
        #expect(try await gateway.messages().isEmpty)
        #expect(try await status(TokenClaims(issuer: "msp-1", issuedAt: now - 3_600)) == 200)
        // The wire log says why, and holds no token.
        let log = try await gateway.exchanges()
        #expect(log.count == 5)
        for exchange in log {
            #expect(
                exchange.request.headers.contains(
                    HeaderField(name: "authorization", value: "Bearer ***")))
        }
        #expect(log.filter { $0.status == 403 }.allSatisfy { !$0.findings.isEmpty })
    }

    @Test func `unauthenticated callers cannot flush the wire log`() async throws {
        let gateway = try await TestGateway()
        let body = gateway.payload(uuid(1), "text", #""body":"hello""#)
        #expect(try await gateway.post(body, id: uuid(1)).status == 200)
        let wrong = "Bearer \(gateway.token(key: [1]))"
        for _ in 1...80 {
            #expect(
                try await gateway.post(body, id: uuid(1), ["authorization": wrong]).status == 403)
        }
        let log = try await gateway.exchanges()
        #expect(log.count == 61)
        #expect(log.filter { $0.status == 200 }.count == 1)
    }

    @Test func `a closed conversation is answered with 410 until the customer writes again`()
        async throws
    {
        let gateway = try await TestGateway()
        _ = try await gateway.parts.broker.change(
            gateway.conversation, .leave, by: .customer(device: "d"))
        let body = gateway.payload(uuid(1), "text", #""body":"hello""#)
        #expect(try await gateway.post(body, id: uuid(1)).status == 410)
        #expect(try await gateway.messages().isEmpty)
        try await gateway.say("again", id: uuid(2))
        #expect(try await gateway.post(body, id: uuid(1)).status == 200)
    }

    @Test func `a packed body is read, and never unpacked beyond the limit`() async throws {
        let gateway = try await TestGateway()
        func status(_ text: String) async throws -> Int {
            let packed = try Gzip.compress(Array(text.utf8))
            let request = try Request(
                method: .post, target: "/v1/message",
                headers: [
                    "authorization": "Bearer \(gateway.token())", "id": uuid(1),
                    "source-id": gateway.business.text,
                    "destination-id": gateway.customer.text, "content-encoding": "gzip",
                ], body: packed)
            return await gateway.handler.respond(to: request).status.code
        }
        let bomb = String(repeating: " ", count: 4_194_305)
        #expect(try await status(bomb) == 413)
        #expect(try await gateway.messages().isEmpty)
        #expect(try await status(gateway.payload(uuid(1), "text", #""body":"hi""#)) == 200)
        #expect(try await gateway.messages().count == 1)
    }
}

@Suite struct LinkReferenceTests {
    @Test func `a link that constructPayload kept arrives as the link itself`() async throws {
        let gateway = try await TestGateway()
        let made = try await gateway.post(
            #"{"type":"link","link":{"url":"https://appclip.example.com/tea?x=1"},"version":1.0}"#,
            id: uuid(1), to: "/v1/constructPayload")
        #expect(made.status == 200)
        let reference = try JSONDocument(parsing: Array(made.text.utf8)).root["richLinkDataRef"]
        let text = try #require(reference?.rawText)
        let body = gateway.payload(uuid(2), "richLink", #""richLinkDataRef":\#(text)"#)
        let answer = try await gateway.post(body, id: uuid(2))
        #expect(answer.status == 200, "\(answer.text)")
        let message = try #require(try await gateway.messages().first)
        let payload = try JSONDocument(parsing: message.payload.carriedBytes ?? []).root
        #expect(message.facts.kind == .richLink)
        #expect(payload["richLinkData"]?["url"]?.string == "https://appclip.example.com/tea?x=1")
        #expect(payload["richLinkData"]?["title"]?.string == "appclip.example.com")
        #expect(payload["richLinkDataRef"] == nil)
    }

    @Test func `null stands for a member that is not there, also beside a reference`()
        async throws
    {
        let gateway = try await TestGateway()
        let made = try await gateway.post(
            #"{"type":"link","link":{"url":"https://appclip.example.com/tea"},"version":1.0}"#,
            id: uuid(1), to: "/v1/constructPayload")
        let reference = try JSONDocument(parsing: Array(made.text.utf8)).root["richLinkDataRef"]
        let text = try #require(reference?.rawText)
        let link = #"{"url":"https://example.com/tea","title":"Tea"}"#
        for (place, rest) in [
            #""richLinkData":null,"richLinkDataRef":\#(text)"#,
            #""richLinkDataRef":\#(text),"richLinkData":null"#,
            #""richLinkData":\#(link),"richLinkDataRef":null"#,
        ].enumerated() {
            let id = uuid(10 + place)
            let answer = try await gateway.post(gateway.payload(id, "richLink", rest), id: id)
            #expect(answer.status == 200, "\(rest): \(answer.text)")
            let stored = try await gateway.messages().last { $0.id.text == id }
            let payload = try JSONDocument(parsing: stored?.payload.carriedBytes ?? []).root
            #expect(payload["richLinkData"]?["url"]?.string?.hasSuffix("/tea") == true, "\(rest)")
        }
    }

    @Test func `a reference that is no link, or unknown, is refused`() async throws {
        let gateway = try await TestGateway()
        let strange = """
            {"url":"https://x.example/m/1","owner":"M1","key":"00","size":1,\
            "signature-base64":"AZ60"}
            """
        let answer = try await gateway.post(
            gateway.payload(uuid(2), "richLink", #""richLinkDataRef":\#(strange)"#), id: uuid(2))
        #expect(answer.status == 400)
        #expect(try await gateway.messages().isEmpty)
    }
}
