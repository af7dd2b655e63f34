import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskStoreSQLite
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// A number at WhatsApp, with a scripted Graph API.
struct TestNumber {
    static let link = GatewayLinkID(UniqueID(high: 3, low: 9))
    static let secrets = WhatsAppSecrets(
        accessToken: "EAAtoken", appSecret: "app-secret", verifyToken: "verify-me")
    static let number = "106540352242922"

    let gateway: TestGateway

    /// Read marks are off unless a test is about them: each would be one more request.
    init(
        marksRead: Bool = false, _ script: @escaping ScriptedClient.Script = TestNumber.accepting,
        over wrap: (SQLiteStore) -> any Store = { $0 }
    ) async throws {
        var settings = WhatsAppSettings(accountID: "55")
        settings.marksRead = marksRead
        gateway = try await TestGateway(script, over: wrap)
        let link = GatewayLink(
            id: Self.link, business: gateway.business, side: .whatsapp, mspID: Self.number,
            secret: Self.secrets.bytes, url: "https://graph.example/v23.0",
            settings: settings.json.bytes(), createdAt: TestGateway.now)
        #expect(try await gateway.parts.links.save(link, author: .server))
        // What a provider is sent is no matter here.
        #expect(try await gateway.parts.links.remove(gateway.link.id, author: .server))
    }

    /// Accepts messages and uploads.
    static let accepting: ScriptedClient.Script = { request, place in
        let body =
            request.url.hasSuffix("/media")
            ? #"{"id":"9001"}"# : #"{"messages":[{"id":"wamid.OUT\#(place)"}]}"#
        return OutgoingAnswer(status: .ok, body: RequestBody(Array(body.utf8)))
    }

    /// The body of a webhook around values.
    static func webhook(
        _ value: String, number: String = number, account: String = "55"
    ) -> String {
        """
        {"object":"whatsapp_business_account","entry":[{"id":"\(account)","changes":[{"field":"messages",\
        "value":{"messaging_product":"whatsapp","metadata":{"phone_number_id":"\(number)"},\
        "contacts":[{"wa_id":"15551234567","profile":{"name":"Ada"}}],\(value)}}]}]}
        """
    }

    static func message(
        _ rest: String, id: String = "wamid.IN1", type: String = "text",
        seconds: Int64 = TestGateway.now.milliseconds / 1_000
    ) -> String {
        """
        {"id":"\(id)","from":"15551234567","timestamp":"\(seconds)","type":"\(type)",\(rest)}
        """
    }

    /// Posts a webhook as Meta does; another signature where one is stated.
    @discardableResult
    func post(_ body: String, signature: String?? = .none) async throws -> Response {
        let bytes = Array(body.utf8)
        let own = WhatsAppSignature.field(
            for: bytes, key: Array(Self.secrets.appSecret.utf8))
        var headers: HeaderFields = ["content-type": "application/json"]
        if let field = signature ?? own { headers.append("x-hub-signature-256", field) }
        return await gateway.handler.respond(
            to: try Request(
                method: .post, target: "/whatsapp/\(Self.link.text)", headers: headers, body: bytes)
        )
    }

    /// Says something as the customer; returns the status.
    @discardableResult
    func say(_ text: String, id: String = "wamid.IN1", seconds: Int64? = nil) async throws -> Int {
        let at = seconds ?? TestGateway.now.milliseconds / 1_000
        let message = Self.message(#""text":{"body":"\#(text)"}"#, id: id, seconds: at)
        return try await post(Self.webhook(#""messages":[\#(message)]"#)).status.code
    }

    /// The customer's conversation.
    func conversation() async throws -> Conversation {
        let customer = try #require(WhatsAppNames.customer("15551234567"))
        return try #require(
            try await gateway.store.findConversation(of: customer, with: gateway.business))
    }

    func messages() async throws -> [StoredMessage] {
        try await gateway.store.messages(in: conversation().id, .newest, limit: 99).elements
    }

    /// Sends something as the business.
    @discardableResult
    func send(
        _ rest: String, id: String, kind: MessageKind = .text, attachments: [AttachmentUse] = [],
        template: String? = nil
    ) async throws -> StoredMessage {
        let conversation = try await conversation()
        let payload = """
            {"v":1,"id":"\(id)","sourceId":"\(gateway.business.text)",\
            "destinationId":"\(conversation.customer.id.text)",\(rest)}
            """
        var facts = MessageFacts(
            direction: .outbound, kind: kind, author: .key(KeyID(UniqueID(high: 7, low: 7))),
            origin: .api, attachments: attachments)
        facts.whatsAppTemplate = template
        return try await gateway.parts.broker.accept(
            Submission(
                conversation: conversation.id, id: try #require(MessageID(id)),
                payload: Array(payload.utf8), facts: facts)
        ).message
    }

    /// The bodies that were posted as messages.
    func posted() throws -> [JSONValue] {
        try gateway.client.requests.filter { $0.url.hasSuffix("/messages") }.map { request in
            guard case .bytes(let bytes) = request.body else { throw BodyError.malformed }
            return try JSONDocument(parsing: bytes).root
        }
    }

    func delivery(of message: StoredMessage) async throws -> Delivery? {
        let outbox = OutboxID(Self.link.value)
        return try await gateway.store.deliveries(of: outbox, at: [message.position]).first
    }

    /// Waits until the delivery of a message is no longer pending.
    func settled(_ message: StoredMessage) async throws -> Delivery {
        try await Wait.until("the delivery ended") {
            try await delivery(of: message).map { $0.state != .pending } ?? false
        }
        return try #require(try await delivery(of: message))
    }

    func types() async throws -> [EventType] {
        try await gateway.store.events(after: .start, in: .everything, limit: 300).events.map(
            \.type)
    }
}

@Suite struct WhatsAppTests {
    // MARK: Callback

    /// What Meta asks with, and what it is answered.
    struct Ask: Sendable {
        let query: String
        let status: Int
        let text: String?
    }

    @Test(arguments: [
        Ask(
            query: "hub.mode=subscribe&hub.verify_token=verify-me&hub.challenge=1158201444",
            status: 200, text: "1158201444"),
        Ask(
            query: "hub.mode=subscribe&hub.verify_token=other&hub.challenge=1", status: 403,
            text: nil),
        Ask(query: "hub.mode=subscribe&hub.challenge=1", status: 403, text: nil),
        Ask(query: "hub.verify_token=verify-me&hub.challenge=1", status: 403, text: nil),
        Ask(
            query: "hub.mode=subscribe&hub.verify_token=verify-me&hub.challenge=%3Cb%3E",
            status: 400,
            text: nil),
    ])
    func `the callback URL is verified by its token, and answered with the challenge`(
        _ ask: Ask
    ) async throws {
        let number = try await TestNumber()
        let response = await number.gateway.handler.respond(
            to: try Request(
                method: .get, target: "/whatsapp/\(TestNumber.link.text)?\(ask.query)",
                headers: [:],
                body: []))
        #expect(response.status.code == ask.status)
        if let text = ask.text, case .bytes(let bytes) = response.body {
            #expect(String(decoding: bytes, as: UTF8.self) == text)
        }
        let log = try await number.gateway.exchanges()
        #expect(log.count == 1)
        #expect(!log.contains { $0.target.contains("verify-me") })
    }

    @Test func `a post is accepted by the signature of its bytes, and by nothing else`()
        async throws
    {
        let number = try await TestNumber()
        let body = TestNumber.webhook(
            #""messages":[\#(TestNumber.message(#""text":{"body":"x"}"#))]"#)
        let right = WhatsAppSignature.field(
            for: Array(body.utf8), key: Array("app-secret".utf8))
        #expect(try await number.post(body, signature: .some(nil)).status.code == 401)
        for wrong in [
            "sha256=00", "sha1=\(right.dropFirst(7))", "sha256=zz",
            WhatsAppSignature.field(for: Array(body.utf8), key: Array("other".utf8)),
            WhatsAppSignature.field(for: Array((body + " ").utf8), key: Array("app-secret".utf8)),
        ] {
            #expect(try await number.post(body, signature: wrong).status.code == 403, "\(wrong)")
        }
        #expect(try await number.post(body, signature: right.uppercased()).status.code == 403)
        #expect(try await number.post(body, signature: right).status.code == 200)
        #expect(try await number.messages().count == 1)
    }

    @Test func `what is no webhook of the number is refused or dropped, and noted`() async throws {
        let number = try await TestNumber()
        #expect(try await number.post("{").status.code == 400)
        let said = #""messages":[\#(TestNumber.message(#""text":{"body":"x"}"#))]"#
        for body in [
            TestNumber.webhook(said, number: "1"), TestNumber.webhook(said, account: "56"),
            #"{"object":"page","entry":[]}"#,
            #"{"object":"whatsapp_business_account","entry":[{"id":"55","changes":[{"field":"account_update"}]}]}"#,
        ] {
            #expect(try await number.post(body).status.code == 200)
        }
        let customer = try #require(WhatsAppNames.customer("15551234567"))
        #expect(
            try await number.gateway.store.findConversation(
                of: customer, with: number.gateway.business) == nil)
        let findings = try await number.gateway.exchanges().map {
            String(decoding: $0.findings, as: UTF8.self)
        }
        #expect(findings.filter { $0.contains("dropped") }.count == 4)
    }

    @Test func `a post may bring a thousand statuses, of which the wire log has a hundred remarks`()
        async throws
    {
        let number = try await TestNumber()
        let status =
            #"{"id":"wamid.X","status":"sent","timestamp":"1","recipient_id":"15551234567","conversation":{"id":"c","origin":{"type":"service"}},"pricing":{"billable":true,"pricing_model":"PMP","category":"service","type":"regular"},"more":[1,2,3,4,5,6,7,8,9,10]}"#
        let all = Array(repeating: status, count: 1_000).joined(separator: ",")
        let body = TestNumber.webhook(#""statuses":[\#(all)]"#)
        #expect(try await number.post(body).status.code == 200)
        // All are about messages of another program; the wire log says so a hundred times.
        let found = try #require(try await number.gateway.exchanges().last?.findings)
        let findings = try JSONDocument(parsing: found).root
        #expect(findings.count == 101)
        #expect(findings[100]?["found"]?.string == "900 further remarks are not listed.")
        #expect(try await number.post(body + "]").status.code == 400)
    }

    // MARK: In

    @Test func `a text becomes a message of a customer, once, however often it comes`() async throws
    {
        let number = try await TestNumber()
        for _ in 0..<3 { #expect(try await number.say("Hello") == 200) }
        let messages = try await number.messages()
        #expect(messages.count == 1)
        let conversation = try await number.conversation()
        #expect(conversation.customer.name == "Ada")
        #expect(conversation.customer.capabilities == ["QUICK", "LIST", "TIME"])
        #expect(WhatsAppNames.number(of: conversation.customer.id) == "15551234567")
        let facts = try #require(messages.first?.facts)
        #expect(
            facts.direction == .inbound && facts.origin == .upstream && facts.summary == "Hello")
        #expect(conversation.freeFormUntil == TestGateway.now.advanced(by: .seconds(86_400)))
    }

    @Test func `a post with several messages of several customers keeps each`() async throws {
        let number = try await TestNumber()
        let other = TestNumber.message(#""text":{"body":"b"}"#, id: "wamid.B")
            .replacing("15551234567", with: "15559999999")
        let all = [
            TestNumber.message(#""text":{"body":"a"}"#, id: "wamid.A"), other,
            TestNumber.message(#""system":{"body":"s"}"#, id: "wamid.C", type: "system"),
            TestNumber.message(#""text":{"body":"d"}"#, id: "wamid.D"),
        ].joined(separator: ",")
        let body = TestNumber.webhook(#""messages":[\#(all)]"#)
        #expect(try await number.post(body).status.code == 200)
        #expect(try await number.messages().map(\.facts.summary) == ["a", "d"])
        // Each of them may be erased by itself.
        #expect(try await number.gateway.exchanges().allSatisfy { $0.request.body.isEmpty })
    }

    @Test func `a file is fetched with the token and stored; one that is gone leaves its words`()
        async throws
    {
        let number = try await TestNumber { request, _ in
            guard request.headers["authorization"] == "Bearer EAAtoken" else {
                return OutgoingAnswer(status: .unauthorized)
            }
            switch request.url {
            case "https://graph.example/v23.0/77?phone_number_id=\(TestNumber.number)":
                return OutgoingAnswer(
                    status: .ok,
                    body: RequestBody(Array(#"{"url":"https://files.example/f"}"#.utf8)))
            case "https://files.example/f":
                return OutgoingAnswer(status: .ok, body: RequestBody(Array("picture".utf8)))
            default: return OutgoingAnswer(status: .notFound)
            }
        }
        func image(_ id: String, _ name: String) -> String {
            let rest = #""image":{"id":"\#(id)","mime_type":"image/png","caption":"Look"}"#
            return TestNumber.webhook(
                #""messages":[\#(TestNumber.message(rest, id: name, type: "image"))]"#)
        }
        #expect(try await number.post(image("77", "wamid.A")).status.code == 200)
        #expect(try await number.post(image("78", "wamid.B")).status.code == 200)
        let messages = try await number.messages()
        #expect(messages.map { $0.facts.attachments.count } == [1, 0])
        #expect(messages.first?.facts.attachments.first?.byteCount == 7)
        #expect(messages.last?.facts.headers.contains { $0.name == "x-missing-file" } == true)
        #expect(messages.allSatisfy { $0.facts.summary.contains("Look") })
        let log = try await number.gateway.exchanges()
        #expect(
            log.allSatisfy { exchange in
                !exchange.request.headers.contains { $0.value.contains("EAAtoken") }
            })
    }

    @Test func `a reaction is a text about what it is about`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello", id: "wamid.A")
        for (place, (emoji, text)) in [
            ("👍", "Liked “Hello”"), ("❤️", "Loved “Hello”"), ("🎉", "Reacted 🎉 to “Hello”"),
        ].enumerated() {
            let rest = #""reaction":{"message_id":"wamid.A","emoji":"\#(emoji)"}"#
            let message = TestNumber.message(rest, id: "wamid.R\(place)", type: "reaction")
            #expect(
                try await number.post(TestNumber.webhook(#""messages":[\#(message)]"#)).status.code
                    == 200)
            let last = try #require(try await number.messages().last)
            #expect(last.facts.summary == text)
            #expect(last.facts.headers.contains { $0.name == "x-tapback" })
        }
    }
}
