import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct ReplyTests {
    private static let envelope = ReplyEnvelope(
        id: "6f2d1c5e-0000-4000-8000-0000000000ff",
        sourceID: "urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv",
        destinationID: "b9159070-c454-4135-8bf3-049809624818", locale: "en_US",
        newSession: "9c1b2f5e-1111-4a6b-9d0a-0000000000bb")

    private func reply(
        _ example: String, _ choice: Choice, locale: String = "en_US"
    ) throws -> (Reply, JSONValue) {
        var envelope = Self.envelope
        envelope.locale = locale
        let reply = try Reply.make(
            to: Corpus.payload(example), choice: choice, envelope: envelope)
        let root = try JSONDocument(parsing: reply.payload).root
        return (reply, root)
    }

    @Test(
        arguments: [
            ("list-picker/valid-two-sections", .list(identifiers: ["m"])),
            ("list-picker/valid-pictures", .list(identifiers: ["red"])),
            ("time-picker/valid-three", .time(identifier: "b")),
            ("time-picker/valid-plain", .time(identifier: "2")),
            ("quick-reply/valid-three", .quickReply(identifier: "later")),
            ("payment/valid-shipping", .payment(.success, status: nil, shippingMethod: "courier")),
            ("payment/valid-plain", .payment(.canceled, status: nil, shippingMethod: nil)),
            ("app/valid-plain", .app(url: "?size=44&\"quoted\"\u{1F600}")),
            ("app/valid-icon", .app(url: "x")),
        ] as [(String, Choice)])
    func `an answer passes the strict rules and repeats the request's identifier`(
        _ example: String, _ choice: Choice
    ) throws {
        let (reply, root) = try reply("outbound/" + example, choice)
        let context = JudgementContext(
            direction: .inbound, now: Corpus.now,
            envelope: ExpectedEnvelope(
                id: Self.envelope.id, sourceID: Self.envelope.sourceID,
                destinationID: Self.envelope.destinationID),
            mayOmitEnvelope: false)
        let judgement = try Corpus.rulebook.get().judge(reply.payload, context)
        #expect(judgement.findings.isEmpty)
        #expect(judgement.kind == reply.kind)
        let asked = try JSONDocument(parsing: Corpus.payload("outbound/" + example)).root
        let (question, answer) = (asked["interactiveData"], root["interactiveData"])
        #expect(
            answer?["data"]?["requestIdentifier"]?.rawText
                == question?["data"]?["requestIdentifier"]?.rawText)
        #expect(answer?["bid"]?.rawText == question?["bid"]?.rawText)
        let session = question?["sessionIdentifier"]?.string ?? Self.envelope.newSession
        #expect(answer?["sessionIdentifier"]?.string == session)
    }

    @Test func `the chosen items come first and the others after them, as they were`() throws {
        let (reply, root) = try reply(
            "outbound/list-picker/valid-two-sections",
            .list(identifiers: ["sugar", "m", "lid"]))
        let data = root["interactiveData"]?["data"]
        let sections = data?["listPicker"]?["sections"]
        #expect(sections?[0]?["title"]?.string == "You Selected")
        #expect(sections?[1]?["title"]?.string == "Others")
        #expect(sections?.count == 2)
        let chosen = (sections?[0]?["items"]).map { Array($0.elements) } ?? []
        #expect(chosen.compactMap { $0["identifier"]?.string } == ["m", "lid", "sugar"])
        let asked = try JSONDocument(
            parsing: Corpus.payload("outbound/list-picker/valid-two-sections")
        ).root["interactiveData"]?["data"]?["listPicker"]?["sections"]?[0]?["items"]?[1]
        #expect(chosen.first?.rawText == asked?.rawText)
        #expect(data?["replyMessage"]?["title"]?.string == "Medium, Lid, Sugar")
        #expect(data?["replyMessage"]?["alternateTitle"]?.string == "Medium, Lid and Sugar")
        #expect(data?["replyMessage"]?["style"]?.string == "icon")
        #expect(data?["receivedMessage"]?["title"]?.string == "Choose your coffee")
        #expect(reply.summary == "Chose Medium, Lid, Sugar")
    }

    @Test func `pictures are echoed and the chosen one is in the answer`() throws {
        let (_, root) = try reply(
            "outbound/list-picker/valid-pictures", .list(identifiers: ["green"]), locale: "ja_JP")
        let data = root["interactiveData"]?["data"]
        let asked = try JSONDocument(
            parsing: Corpus.payload("outbound/list-picker/valid-pictures")
        ).root
        #expect(
            data?["images"]?.rawText == asked["interactiveData"]?["data"]?["images"]?.rawText)
        #expect(data?["replyMessage"]?["imageIdentifier"]?.string == "p-green")
        #expect(data?["listPicker"]?["sections"]?[0]?["title"]?.string == "選択した項目")
        #expect(root["locale"]?.string == "ja_JP")
    }

    @Test func `an answer says version even when the question said mspVersion`() throws {
        let (_, root) = try reply(
            "outbound/list-picker/valid-msp-version-lenient", .list(identifiers: ["s"]))
        #expect(root["interactiveData"]?["data"]?["version"]?.string == "1.0")
        #expect(root["interactiveData"]?["data"]?["mspVersion"] == nil)
    }

    @Test func `a question of a typed serialiser is answered like one without its nulls`() throws {
        let (_, root) = try reply(
            "outbound/list-picker/valid-nulls", .list(identifiers: ["m"]))
        let interactive = try #require(root["interactiveData"])
        #expect(interactive["sessionIdentifier"]?.string?.isEmpty == false)
        #expect(interactive["data"]?["images"] == nil)
        #expect(interactive["data"]?["replyMessage"]?["title"]?.string == "Medium")
        #expect(interactive["data"]?["replyMessage"]?["subtitle"] == nil)
        #expect(interactive["data"]?["event"] == nil)
    }

    @Test func `a time's answer holds the one slot and is headed by the moment`() throws {
        let (_, root) = try reply("outbound/time-picker/valid-three", .time(identifier: "b"))
        let data = root["interactiveData"]?["data"]
        #expect(data?["event"]?["timeslots"]?.count == 1)
        #expect(data?["event"]?["timeslots"]?[0]?["identifier"]?.string == "b")
        #expect(data?["event"]?["location"]?["title"]?.string == "Main Street 1")
        #expect(data?["replyMessage"]?["title"]?.string == "Tue, Dec 1, 2026, 11:00 AM")
    }

    @Test func `a quick reply's answer has position, identifier and items but no heading`() throws {
        let (_, root) = try reply(
            "outbound/quick-reply/valid-three", .quickReply(identifier: "no"))
        let answer = root["interactiveData"]?["data"]?["quick-reply"]
        #expect(answer?["selectedIndex"]?.int == 1)
        #expect(answer?["selectedIdentifier"]?.string == "no")
        #expect(answer?["items"]?.count == 3)
        #expect(answer?["summaryText"] == nil)
        // It is no bubble (protocol page 13.9).
        #expect(root["interactiveData"]?["data"]?["replyMessage"] == nil)
    }

    @Test(
        arguments: [
            (PaymentOutcome.failure, nil), (.canceled, nil), (.failure, "STATUS_PIN_REQUIRED"),
        ] as [(PaymentOutcome, String?)])
    func `a payment that did not complete says so and repeats what was asked`(
        _ outcome: PaymentOutcome, _ given: String?
    ) throws {
        let (reply, root) = try reply(
            "outbound/payment/valid-shipping",
            .payment(outcome, status: given, shippingMethod: nil))
        let data = root["interactiveData"]?["data"]
        let payment = data?["payment"]
        let asked = try JSONDocument(
            parsing: Corpus.payload("outbound/payment/valid-shipping")
        ).root["interactiveData"]
        let request = asked?["data"]?["payment"]
        #expect(payment?["state"]?.string == "paymentNotCompleted")
        #expect(payment?["status"] == nil)
        let lines = (payment?["paymentRequest"]?["lineItems"]).map { Array($0.elements) } ?? []
        #expect(!lines.isEmpty && lines.allSatisfy { $0["type"]?.string == "Final" })
        #expect(payment?["paymentRequest"]?["total"]?["type"]?.string == "Final")
        #expect(
            payment?["paymentRequest"]?["applePay"]?.rawText
                == request?["paymentRequest"]?["applePay"]?.rawText)
        #expect(payment?["merchantSession"]?.rawText == request?["merchantSession"]?.rawText)
        #expect(payment?["endpoints"] != nil && request?["endpoints"]?["paymentGatewayUrl"] != nil)
        #expect(payment?["endpoints"]?["paymentGatewayUrl"] == nil)
        let title = asked?["replyMessage"]?["title"] ?? asked?["receivedMessage"]?["title"]
        #expect(data?["replyMessage"]?["title"]?.rawText == title?.rawText)
        #expect(data?["replyMessage"]?["subtitle"]?.string == "Payment not completed")
        #expect(reply.summary == "Payment not completed")
        let judgement = try Corpus.rulebook.get().judge(
            reply.payload,
            JudgementContext(direction: .inbound, now: Corpus.now, mayOmitEnvelope: false))
        #expect(judgement.findings.isEmpty, "\(judgement.findings)")
    }

    @Test func `amounts of a payment that did not complete have the places a device writes`() throws
    {
        let text = String(
            decoding: try Corpus.payload("outbound/payment/valid-plain"), as: UTF8.self)
        let asked = try #require(
            try JSONDocument(parsing: Array(text.utf8)).root["interactiveData"]?["data"]?[
                "payment"]?["paymentRequest"]?["total"]?["amount"]?.rawText)
        for (amount, shown) in [
            ("4.50", "4.5"), ("12.00", "12.0"), ("3.25", "3.25"), ("7", "7"), ("-1.10", "-1.1"),
        ] {
            let request = text.replacing(asked, with: "\"\(amount)\"")
            let reply = try Reply.make(
                to: Array(request.utf8),
                choice: .payment(.canceled, status: nil, shippingMethod: nil),
                envelope: Self.envelope)
            let total = try JSONDocument(parsing: reply.payload).root["interactiveData"]?["data"]?[
                "payment"]?["paymentRequest"]?["total"]
            #expect(total?["amount"]?.string == shown)
        }
    }

    @Test func `a payment that completed is state and status`() throws {
        let (_, root) = try reply(
            "outbound/payment/valid-plain",
            .payment(.success, status: nil, shippingMethod: nil))
        let payment = root["interactiveData"]?["data"]?["payment"]
        #expect(payment?.rawText == #"{"state":"success","status":"STATUS_SUCCESS"}"#)
    }

    @Test func `a sign-in's status or a payment's state that is unknown is shown as it is`() {
        func summary(_ data: String) -> String {
            Summary.text(
                of: Array(#"{"type":"interactive","interactiveData":{"data":{\#(data)}}}"#.utf8),
                direction: .inbound)
        }
        #expect(summary(#""authenticate":{"status":"authenticated"}"#) == "Signed in")
        #expect(summary(#""authenticate":{"status":"failed"}"#) == "Did not sign in")
        #expect(summary(#""authenticate":{"status":"pendingReview"}"#) == "Sign-in: pendingReview")
        #expect(summary(#""authenticate":{}"#) == "Sign-in")
        #expect(summary(#""payment":{"state":"parked"}"#) == "Payment: parked")
        #expect(summary(#""payment":{"state":"failure"}"#) == "Payment failed")
    }

    @Test(arguments: ["?a=b&c=%20", "\u{1F600}é\"\\\n", String(repeating: "a", count: 65_536)])
    func `an app's URL comes back byte for byte`(_ url: String) throws {
        let (_, root) = try reply("outbound/app/valid-plain", .app(url: url))
        #expect(root["interactiveData"]?["URL"]?.stringBytes == Array(url.utf8))
        #expect(root["interactiveData"]?["data"] == nil)
    }

    @Test(
        arguments: [
            ("list-picker/valid-two-sections", .list(identifiers: ["xl"]), .notOffered),
            ("list-picker/valid-two-sections", .list(identifiers: ["s", "xl"]), .notOffered),
            ("list-picker/valid-two-sections", .list(identifiers: ["s", "m"]), .tooMany),
            ("list-picker/valid-two-sections", .list(identifiers: ["lid", "lid"]), .badChoice),
            ("list-picker/valid-two-sections", .list(identifiers: []), .badChoice),
            ("list-picker/valid-two-sections", .time(identifier: "m"), .wrongKind),
            ("time-picker/valid-three", .time(identifier: "A"), .notOffered),
            ("quick-reply/valid-three", .quickReply(identifier: "maybe"), .notOffered),
            ("quick-reply/valid-three", .app(url: "?a"), .wrongKind),
            ("text/valid-plain", .quickReply(identifier: "yes"), .wrongKind),
            (
                "payment/valid-shipping", .payment(.success, status: nil, shippingMethod: "pigeon"),
                .notOffered
            ),
            (
                "payment/valid-plain", .payment(.success, status: nil, shippingMethod: "post"),
                .notOffered
            ),
            (
                "payment/valid-plain", .payment(.success, status: "paid", shippingMethod: nil),
                .badChoice
            ),
            ("app/valid-plain", .app(url: ""), .badChoice),
            ("app/valid-plain", .app(url: String(repeating: "a", count: 65_537)), .badChoice),
            ("app/valid-plain", .list(identifiers: ["a"]), .wrongKind),
        ] as [(String, Choice, ReplyError.Code)])
    func `what was not offered is refused by kind`(
        _ example: String, _ choice: Choice, _ code: ReplyError.Code
    ) throws {
        let error = try #require(throws: ReplyError.self) {
            _ = try reply("outbound/" + example, choice)
        }
        #expect(error.code == code)
    }

    @Test func `identifiers are compared as bytes`() throws {
        let text = String(
            decoding: try Corpus.payload("outbound/quick-reply/valid-three"), as: UTF8.self)
        let accented = Array(text.replacing(#""yes""#, with: "\"\u{e9}\"").utf8)
        #expect(throws: ReplyError.self) {
            try Reply.make(
                to: accented, choice: .quickReply(identifier: "e\u{301}"), envelope: Self.envelope)
        }
    }

    @Test(
        arguments: [
            (
                #"{"id":"a","inReplyTo":"b","list":{"identifiers":["x","y"]}}"#,
                .list(identifiers: ["x", "y"])
            ),
            (#"{"id":"a","inReplyTo":"b","time":{"identifier":"x"}}"#, .time(identifier: "x")),
            (
                #"{"id":"a","inReplyTo":"b","quickReply":{"identifier":"x"}}"#,
                .quickReply(identifier: "x")
            ),
            (
                #"{"id":"a","inReplyTo":"b","payment":{"outcome":"failure","status":"STATUS_PIN_LOCKOUT"}}"#,
                .payment(.failure, status: "STATUS_PIN_LOCKOUT", shippingMethod: nil)
            ),
            (#"{"id":"a","inReplyTo":"b","app":{"url":"?x"}}"#, .app(url: "?x")),
            (#"{"id":"a","inReplyTo":"b"}"#, nil),
            (#"{"id":"a","inReplyTo":"b","app":{"url":"?x"},"time":{"identifier":"x"}}"#, nil),
            (#"{"id":"a","inReplyTo":"b","list":{"identifiers":[]}}"#, nil),
            (#"{"id":"a","inReplyTo":"b","list":{"identifiers":[1]}}"#, nil),
            (#"{"id":"a","inReplyTo":"b","payment":{"outcome":"maybe"}}"#, nil),
            (#"{"id":1,"inReplyTo":"b","app":{"url":"?x"}}"#, nil), ("[]", nil), ("{", nil),
        ] as [(String, Choice?)])
    func `a posted choice is read or refused`(_ json: String, _ choice: Choice?) {
        // Safe: the refusal is what is looked for.
        let posted = try? PostedChoice(json: Array(json.utf8))
        #expect(posted?.choice == choice)
        if choice != nil { #expect(posted?.inReplyTo == "b") }
    }

    /// An example with a part of its text replaced.
    private func changed(_ example: String, _ part: String, _ other: String) throws -> [UInt8] {
        let text = String(decoding: try Corpus.payload("outbound/" + example), as: UTF8.self)
        #expect(text.contains(part))
        return Array(text.replacing(part, with: other).utf8)
    }

    private func data(_ request: [UInt8], _ choice: Choice) throws -> JSONValue? {
        let reply = try Reply.make(to: request, choice: choice, envelope: Self.envelope)
        return try JSONDocument(parsing: reply.payload).root["interactiveData"]?["data"]
    }

    @Test func `an answer says why and to whom the customer came`() throws {
        var envelope = Self.envelope
        envelope.intent = "order"
        envelope.group = "shop"
        for (example, choice) in [
            ("quick-reply/valid-three", .quickReply(identifier: "later")),
            ("app/valid-plain", .app(url: "x")),
        ] as [(String, Choice)] {
            let reply = try Reply.make(
                to: Corpus.payload("outbound/" + example), choice: choice, envelope: envelope)
            let root = try JSONDocument(parsing: reply.payload).root
            #expect(root["intent"]?.string == "order" && root["group"]?.string == "shop")
        }
        let (_, plain) = try reply("outbound/app/valid-plain", .app(url: "x"))
        #expect(plain["intent"] == nil && plain["group"] == nil)
    }

    @Test func `a chosen item's picture that is null leaves the bubble's own`() throws {
        let request = try changed(
            "list-picker/valid-pictures", #""imageIdentifier": "p-red""#,
            #""imageIdentifier": null"#)
        let asked = try JSONDocument(parsing: request).root["interactiveData"]?["replyMessage"]
        let picture = try data(request, .list(identifiers: ["red"]))?["replyMessage"]
        #expect(picture?["imageIdentifier"]?.rawText == asked?["imageIdentifier"]?.rawText)
    }

    @Test func `a place that is null comes back as an empty one`() throws {
        let request = Array(
            #"""
            {"type":"interactive","interactiveData":{"bid":"b","data":{"version":"1.0",
            "requestIdentifier":"r","event":{"identifier":"e","title":"T","location":null,
            "timezoneOffset":"60","timeslots":[{"identifier":"a",
            "startTime":"2026-12-01T10:00+0000","duration":60}]}}}}
            """#.utf8)
        let data = try data(request, .time(identifier: "a"))
        #expect(data?["event"]?["location"]?.rawText == "{}")
        // An offset in quotation marks is one, too.
        #expect(data?["replyMessage"]?["title"]?.string == "Tue, Dec 1, 2026, 11:00 AM")
    }

    @Test(arguments: ["null", #""""#])
    func `an address of updates that is none lets no other way to ship through`(
        _ stated: String
    ) throws {
        let request = try changed(
            "payment/valid-shipping", #""endpoints": {"#,
            #""endpoints": { "shippingContactUpdateUrl": \#(stated),"#)
        let error = try #require(throws: ReplyError.self) {
            _ = try data(request, .payment(.success, status: nil, shippingMethod: "pigeon"))
        }
        #expect(error.code == .notOffered)
    }
}
