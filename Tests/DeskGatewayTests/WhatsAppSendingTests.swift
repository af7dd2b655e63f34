import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore
import GatewayTestSupport
import Synchronization
import TestSupport
import Testing

@testable import DeskGateway

/// What the business sends to customers at WhatsApp.
@Suite struct WhatsAppSendingTests {
    private static let quick = #"""
        "type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","requestIdentifier":"r","quick-reply":{"summaryText":"Tea?","items":[{"identifier":"y","title":"Yes"},{"identifier":"n","title":"No"}]}}}
        """#

    private static func list(_ answers: Int) -> String {
        let items = (0..<answers).map {
            #"{"identifier":"tea-\#($0)","title":"Tea \#($0)","order":\#($0)}"#
        }.joined(separator: ",")
        return #"""
            "type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","requestIdentifier":"r","listPicker":{"sections":[{"title":"Teas","order":0,"multipleSelection":false,"items":[\#(items)]}]}},"receivedMessage":{"title":"Which tea?"}}
            """#
    }

    @Test func `a text is posted to the number's address with the token`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"Welcome""#, id: uuid(1))
            let delivery = try await number.settled(sent)
            #expect(delivery.state == .delivered && delivery.last?.detail == "accepted")
        }
        let request = try #require(number.gateway.client.requests.first)
        #expect(
            request.url == "https://graph.example/v23.0/\(TestNumber.number)/messages")
        #expect(request.headers["authorization"] == "Bearer EAAtoken")
        let body = try #require(try number.posted().first)
        #expect(body["to"]?.string == "15551234567")
        #expect(body["messaging_product"]?.string == "whatsapp")
        #expect(body["text"]?["body"]?.string == "Welcome")
        #expect(try await number.types().contains(.messageDeliveredUpstream))
    }

    @Test(arguments: [2, 4])
    func `the answer to a question comes back as the answer to it`(_ answers: Int) async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        let isQuick = answers == 2
        let rest = isQuick ? Self.quick : Self.list(answers)
        try await number.gateway.delivering {
            let sent = try await number.send(
                rest, id: uuid(1), kind: isQuick ? .quickReply : .list)
            _ = try await number.settled(sent)
        }
        let action = try #require(try number.posted().first?["interactive"]?["action"])
        let id = try #require(
            isQuick
                ? action["buttons"]?[1]?["reply"]?["id"]?.string
                : action["sections"]?[0]?["rows"]?[2]?["id"]?.string)
        let name = isQuick ? "button_reply" : "list_reply"
        let reply = TestNumber.message(
            #""context":{"id":"wamid.OUT1"},"interactive":{"type":"\#(name)","\#(name)":{"id":"\#(id)","title":"x"}}"#,
            id: "wamid.R", type: "interactive")
        #expect(
            try await number.post(TestNumber.webhook(#""messages":[\#(reply)]"#)).status.code == 200
        )
        let last = try #require(try await number.messages().last)
        #expect(last.facts.kind == (isQuick ? .quickReply : .list))
        #expect(last.facts.inReplyTo?.text == uuid(1))
        let choice = try #require(last.facts.headers.first { $0.name == "x-choice" }?.value)
        #expect(choice.contains(isQuick ? #""identifier":"n""# : #""identifier":"tea-2""#))
    }

    @Test func `an answer of another program's question becomes a text of its words`() async throws
    {
        let number = try await TestNumber()
        try await number.say("Hello")
        for (place, id) in ["yes", "0:\(uuid(8))", "-1:x", "0:"].enumerated() {
            let rest =
                #""interactive":{"type":"button_reply","button_reply":{"id":"\#(id)","title":"Yes"}}"#
            let message = TestNumber.message(rest, id: "wamid.R\(place)", type: "interactive")
            let body = TestNumber.webhook(#""messages":[\#(message)]"#)
            #expect(try await number.post(body).status.code == 200)
            let last = try #require(try await number.messages().last)
            #expect(last.facts.kind == .text && last.facts.summary == "Yes")
        }
    }

    @Test func `what the channel does not have is named beside the exchange and in the event`()
        async throws
    {
        let number = try await TestNumber()
        try await number.say("Hello")
        try await number.gateway.delivering {
            let sent = try await number.send(Self.list(12), id: uuid(1), kind: .list)
            _ = try await number.settled(sent)
            try await Wait.until("the event is there") {
                try await number.types().contains(.messageDeliveredUpstream)
            }
        }
        let log = try await number.gateway.exchanges().first { $0.course == .sent }
        let findings = String(decoding: log?.findings ?? [], as: UTF8.self)
        #expect(findings.contains("items/10") && findings.contains("at most 10 answers"))
        let events = try await number.gateway.store.events(
            after: .start, in: .everything, limit: 300
        ).events
        let event = try #require(events.first { $0.type == .messageDeliveredUpstream })
        guard case .json(let data) = event.body else {
            Issue.record("no data")
            return
        }
        #expect(String(decoding: data, as: UTF8.self).contains(#""losses":[{"kind":"dropped""#))
    }

    @Test func `a file is uploaded, then named, with the words under it`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        let blob = try await number.gateway.parts.blobs.store(Array("bytes".utf8))
        let use = AttachmentUse(
            id: blob.id, name: "a \"b\".png", mediaType: "image/png", byteCount: blob.byteCount)
        try await number.gateway.delivering {
            let sent = try await number.send(
                #""type":"text","body":"\uFFFC Look","attachments":[{"name":"a"}]"#, id: uuid(1),
                attachments: [use])
            _ = try await number.settled(sent)
        }
        let upload = try #require(number.gateway.client.requests.first)
        #expect(upload.url == "https://graph.example/v23.0/\(TestNumber.number)/media")
        guard case .pieces(let source, let byteCount) = upload.body else {
            Issue.record("no pieces")
            return
        }
        // It was not read by the scripted client.
        var form: [UInt8] = []
        while let piece = try await source.next() { form += piece }
        #expect(Int64(form.count) == byteCount)
        let text = String(decoding: form, as: UTF8.self)
        #expect(text.contains("name=\"messaging_product\"\r\n\r\nwhatsapp\r\n"))
        #expect(
            text.contains("filename=\"a _b_.png\"\r\nContent-Type: image/png\r\n\r\nbytes\r\n--"))
        let body = try #require(try number.posted().first)
        #expect(body["image"]?["id"]?.string == "9001")
        #expect(body["image"]?["caption"]?.string == "Look")
    }

    /// What Graph answers, and what becomes of the delivery.
    struct Fault: Sendable {
        let status: Int
        let code: Int
        let state: Delivery.State
        let says: String
    }

    @Test(arguments: [
        Fault(status: 400, code: 131_047, state: .dead, says: "more than 24 hours"),
        Fault(status: 400, code: 131_026, state: .dead, says: "cannot be delivered"),
        Fault(status: 401, code: 190, state: .dead, says: "access token has expired"),
        Fault(status: 400, code: 100, state: .dead, says: "(100)"),
        Fault(status: 400, code: 130_429, state: .pending, says: "accepts of the number (130429"),
        Fault(status: 400, code: 131_056, state: .pending, says: "(131056: said"),
        Fault(status: 500, code: 131_000, state: .pending, says: "away or busy (131000"),
        Fault(status: 503, code: 0, state: .pending, says: "access token"),
    ])
    func `an error is final or passes, and is said in words`(_ fault: Fault) async throws {
        let number = try await TestNumber { _, _ in
            OutgoingAnswer(
                status: Status(fault.status),
                body: RequestBody(
                    Array(#"{"error":{"message":"said","code":\#(fault.code)}}"#.utf8)))
        }
        try await number.say("Hello")
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"x""#, id: uuid(1))
            try await Wait.until("it was tried") {
                try await number.delivery(of: sent)?.last != nil
            }
            let delivery = try #require(try await number.delivery(of: sent))
            #expect(delivery.state == fault.state)
            #expect(delivery.last?.detail.contains(fault.says) == true)
        }
    }

    @Test func `after a day nothing is stored for the customer until the customer writes`()
        async throws
    {
        let number = try await TestNumber()
        let now = TestGateway.now.milliseconds / 1_000
        try await number.say("Hello", seconds: now - 86_400)
        await #expect(throws: BrokerError.refused(.replyWindowOver)) {
            try await number.send(#""type":"text","body":"x""#, id: uuid(1))
        }
        try await number.say("Again", id: "wamid.B", seconds: now - 86_399)
        // An older message that comes late does not shorten it.
        try await number.say("Older", id: "wamid.C", seconds: now - 90_000)
        try await number.send(#""type":"text","body":"x""#, id: uuid(1))
        #expect(
            try await number.conversation().freeFormUntil
                == TestGateway.now.advanced(by: .seconds(1)))
    }

    // MARK: Statuses

    private func status(
        _ status: String, of name: String, _ number: TestNumber, reference: String? = nil,
        errors: String = ""
    ) async throws -> Int {
        let mark = reference.map { #","biz_opaque_callback_data":"\#($0)""# } ?? ""
        let value =
            #""statuses":[{"id":"\#(name)","status":"\#(status)","timestamp":"1","recipient_id":"15551234567"\#(mark)\#(errors)}]"#
        return try await number.post(TestNumber.webhook(value)).status.code
    }

    @Test func `receipts lead forward only, by reference or by name`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        var sent: StoredMessage?
        try await number.gateway.delivering {
            let message = try await number.send(#""type":"text","body":"x""#, id: uuid(1))
            _ = try await number.settled(message)
            sent = message
        }
        let message = try #require(sent)
        let reference = try #require(
            try number.posted().first?["biz_opaque_callback_data"]?.string)
        func detail() async throws -> String? {
            try await number.delivery(of: message)?.last?.detail
        }
        for (receipt, expected) in [
            ("sent", "sent"), ("read", "read"), ("delivered", "read"), ("sent", "read"),
            ("failed", "read"), ("deleted", "read"),
        ] {
            let code = try await status(receipt, of: "wamid.OUT1", number, reference: reference)
            #expect(code == 200)
            #expect(try await detail() == expected)
        }
        let types = try await number.types()
        #expect(types.filter { $0 == .messageReceiptChanged }.count == 2)
        #expect(try await status("read", of: "wamid.OUT1", number) == 200)
        #expect(try await status("read", of: "wamid.OTHER", number) == 200)
    }

    @Test func `a message that fails later is shown as refused, with the reason`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        try await number.gateway.delivering {
            let message = try await number.send(#""type":"text","body":"x""#, id: uuid(1))
            _ = try await number.settled(message)
            let code = try await status(
                "failed", of: "wamid.OUT1", number,
                errors: #","errors":[{"code":131026,"title":"Undeliverable"}]"#)
            #expect(code == 200)
            let delivery = try #require(try await number.delivery(of: message))
            #expect(delivery.state == .dead)
            #expect(delivery.last?.detail.contains("cannot be delivered") == true)
        }
        #expect(try await number.types().contains(.messageRefusedUpstream))
    }

    /// The data of the events of a type.
    private func data(of type: EventType, _ number: TestNumber) async throws -> [String] {
        try await number.gateway.store.events(after: .start, in: .everything, limit: 300).events
            .compactMap { event in
                guard event.type == type, case .json(let data) = event.body else { return nil }
                return String(decoding: data, as: UTF8.self)
            }
    }

    @Test(arguments: ["sent", "delivered", "read"])
    func `what a receipt came for while the attempt waited in vain is not sent again`(
        _ receipt: String
    ) async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        number.gateway.client.script.withLock { script in
            script = { (_, _) async throws(OutgoingError) in
                let reference = try? number.posted().last?["biz_opaque_callback_data"]?.string
                let code = try? await status(receipt, of: "wamid.X", number, reference: reference)
                #expect(code == 200)
                throw OutgoingError(.timeout, "late")
            }
        }
        try await number.gateway.delivering {
            let message = try await number.send(Self.list(12), id: uuid(1), kind: .list)
            let delivery = try await number.settled(message)
            #expect(delivery.state == .delivered && delivery.last?.detail == receipt)
        }
        #expect(try number.posted().count == 1)
        // What was lost on the way is known all the same.
        let outcomes = try await data(of: .messageDeliveredUpstream, number)
        #expect(outcomes.count == 1)
        #expect(outcomes.first?.contains(#""losses":[{"kind":"dropped""#) == true)
    }

    @Test
    func `a receipt after an attempt in vain ends the delivery, and the next is sent at once`()
        async throws
    {
        let number = try await TestNumber { (request, place) throws(OutgoingError) in
            guard place > 1 else { throw OutgoingError(.timeout, "late") }
            return OutgoingAnswer(
                status: .ok,
                body: RequestBody(Array(#"{"messages":[{"id":"wamid.OUT\#(place)"}]}"#.utf8)))
        }
        try await number.say("Hello")
        try await number.gateway.delivering {
            let message = try await number.send(#""type":"text","body":"x""#, id: uuid(1))
            let next = try await number.send(#""type":"text","body":"y""#, id: uuid(2))
            try await Wait.until("it was tried") {
                try await number.delivery(of: message)?.last != nil
            }
            let reference = "\(message.conversation.text) \(message.id.text)"
            #expect(
                try await status("delivered", of: "wamid.X", number, reference: reference) == 200)
            let delivery = try await number.settled(message)
            #expect(delivery.state == .delivered && delivery.last?.detail == "delivered")
            #expect(try await number.settled(next).state == .delivered)
        }
        #expect(try number.posted().compactMap { $0["text"]?["body"]?.string } == ["x", "y"])
        #expect(try await data(of: .messageDeliveredUpstream, number).count == 2)
    }

    @Test func `the failure of an attempt before says nothing of the one that was accepted`()
        async throws
    {
        let number = try await TestNumber { (_, place) throws(OutgoingError) in
            guard place > 1 else { throw OutgoingError(.timeout, "late") }
            return OutgoingAnswer(
                status: .ok, body: RequestBody(Array(#"{"messages":[{"id":"wamid.2"}]}"#.utf8)))
        }
        try await number.say("Hello")
        try await number.gateway.delivering {
            let message = try await number.send(#""type":"text","body":"x""#, id: uuid(1))
            try await Wait.until("it was tried") {
                try await number.delivery(of: message)?.last != nil
            }
            let reference = "\(message.conversation.text) \(message.id.text)"
            func fail() async throws -> Int {
                try await status("failed", of: "wamid.1", number, reference: reference)
            }
            #expect(try await fail() == 503)
            // What stands behind it in the post is another's, and is stored all the same.
            let before = try await number.types().count { $0 == .messageAccepted }
            let failure =
                #""statuses":[{"id":"wamid.1","status":"failed","timestamp":"1","biz_opaque_callback_data":"\#(reference)"}]"#
            let said = TestNumber.message(#""text":{"body":"And I?"}"#, id: "wamid.IN2")
            let both = [failure, #""messages":[\#(said)]"#].map { value in
                TestNumber.webhook(value).split(separator: #""entry":["#)[1].dropLast(2)
            }
            let post =
                #"{"object":"whatsapp_business_account","entry":[\#(both.joined(separator: ","))]}"#
            #expect(try await number.post(post).status.code == 503)
            #expect(try await number.types().count { $0 == .messageAccepted } == before + 1)
            try await number.gateway.parts.links.outbox(of: TestNumber.link)?.retryNow(
                author: .server)
            #expect(try await number.settled(message).state == .delivered)
            #expect(try await fail() == 200)
            #expect(try await number.delivery(of: message)?.state == .delivered)
        }
        #expect(try await !number.types().contains(.messageRefusedUpstream))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a text of a megabyte before a file is cut in one pass`() async throws {
        let number = try await TestNumber()
        try await number.say("Hello")
        let blob = try await number.gateway.parts.blobs.store(Array("bytes".utf8))
        let use = AttachmentUse(
            id: blob.id, name: "a.png", mediaType: "image/png", byteCount: blob.byteCount)
        let short = try await number.send(
            #""type":"text","body":"x""#, id: uuid(1), attachments: [use])
        let words = String(repeating: "お茶👍", count: 100_000)
        let message = StoredMessage(
            id: short.id, conversation: short.conversation, business: short.business,
            sequence: short.sequence, position: short.position, time: short.time,
            facts: short.facts,
            payload: .bytes(Array(#"{"type":"text","body":"\#(words)"}"#.utf8)),
            digest: short.digest, checksum: short.checksum)
        let content = try WhatsAppParts(message, number.gateway.parts.translator)
        guard case .message(let members) = try #require(content.parts.first),
            let text = members.first(where: { $0.0 == "text" })?.1.member("body"),
            case .string(let body) = text
        else {
            Issue.record("no text")
            return
        }
        // Four units each time, and one for the mark.
        #expect(body == String(repeating: "お茶👍", count: 1_023) + "お茶\u{2026}")
        #expect(content.losses.count == 1)
    }
}
