import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct FormReplyTests {
    private static let envelope = ReplyEnvelope(
        id: "6f2d1c5e-0000-4000-8000-0000000000ff",
        sourceID: "urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv",
        destinationID: "b9159070-c454-4135-8bf3-049809624818", locale: "en_US",
        newSession: "9c1b2f5e-1111-4a6b-9d0a-0000000000bb")

    private func answer(
        _ request: [UInt8], _ answers: [FormAnswer], now: Timestamp? = nil
    ) throws -> Reply {
        try Reply.make(
            to: request, choice: .form(answers: answers), envelope: Self.envelope, now: now)
    }

    /// A form of one page that is the last.
    private func form(_ page: String) -> [UInt8] {
        Array(
            """
            {"v":1,"type":"interactive","interactiveData":{"bid":"b","data":{"version":"1.0",\
            "requestIdentifier":"r","dynamic":{"version":"1.2","template":"messageForms","data":\
            {"startPageIdentifier":"p","pages":[{"pageIdentifier":"p","subtitle":"?",\(page)}]}}},\
            "receivedMessage":{"title":"T"}}}
            """.utf8)
    }

    @Test func `a page answered again and again in a circle is copied into bounded bytes only`()
        throws
    {
        let request = form(
            #"""
            "type":"select","title":"\#(String(repeating: "t", count: 40_000))",\#
            "multipleSelection":true,"items":[{"identifier":"a","title":"A"}],\#
            "nextPageIdentifier":"p"
            """#)
        // It never ends, so what fits is refused for another reason than what does not.
        for (count, code) in [(100, ReplyError.Code.badChoice), (2_000, .tooMany)] {
            let answers = Array(
                repeating: FormAnswer(page: "p", entry: .items(["a"])), count: count)
            let error = try #require(throws: ReplyError.self) { _ = try answer(request, answers) }
            #expect(error.code == code, "\(count) answers")
        }
    }

    private static let branch: [FormAnswer] = [
        FormAnswer(page: "p1", entry: .items(["b"])),
        FormAnswer(page: "p2", entry: .text("The \"queue\"\nwas long")),
        FormAnswer(page: "p3", entry: .text("11/20/2026")),
    ]

    @Test func `the answer to a form is the protocol's, byte for byte`() throws {
        let reply = try answer(
            Corpus.payload("outbound/form/valid-three-pages"), Self.branch,
            now: Timestamp(milliseconds: 1_795_300_000_000))
        #expect(
            String(decoding: reply.payload, as: UTF8.self) == """
                {"v":1,"id":"6f2d1c5e-0000-4000-8000-0000000000ff","type":"interactive",\
                "sourceId":"urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv",\
                "destinationId":"b9159070-c454-4135-8bf3-049809624818","locale":"en_US",\
                "interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:\
                0000000000:com.apple.icloud.apps.messages.business.extension",\
                "sessionIdentifier":"9c1b2f5e-1111-4a6b-9d0a-0000000000bb",\
                "data":{"version":"1.0","requestIdentifier":"9c1b2f5e-1111-4a6b-9d0a-000000000008",\
                "receivedMessage":{ "title": "Tell us" },"replyMessage":{"title":"Thank you",\
                "alternateTitle":"Thank you"},"dynamic":{"version":"1.2","template":"messageForms",\
                "selections":[{"pageIdentifier":"p1","title":"Visit","subtitle":"How was it?",\
                "items":[{"identifier":"b","type":"select","title":"Bad","value":"bad"}]},\
                {"pageIdentifier":"p2","subtitle":"What went wrong?",\
                "items":[{"identifier":"p2","type":"input","title":"The \\"queue\\"\\nwas long",\
                "value":"The \\"queue\\"\\nwas long"}]},\
                {"pageIdentifier":"p3","subtitle":"When was it?",\
                "items":[{"identifier":"p3","type":"datePicker","title":"11/20/2026",\
                "value":"2026-11-20T00:00:00Z"}]}]}}}}
                """)
        #expect(reply.kind == .form)
        #expect(reply.summary == "Answered the form")
        let judgement = try Corpus.rulebook.get().judge(
            reply.payload,
            JudgementContext(direction: .inbound, now: Corpus.now, mayOmitEnvelope: false))
        #expect(judgement.findings.isEmpty)
    }

    @Test func `null means that a member is absent, and is not repeated`() throws {
        let request = """
            {"v":1,"type":"interactive","interactiveData":{"bid":"b","sessionIdentifier":null,\
            "data":{"version":"1.0","requestIdentifier":"r","images":null,"dynamic":{\
            "version":null,"template":"messageForms","private":null,"data":{\
            "startPageIdentifier":"p","pages":[{"pageIdentifier":"p","type":"input","title":null,\
            "subtitle":"?","nextPageIdentifier":null}]}}},\
            "receivedMessage":{"title":"T","subtitle":null},"replyMessage":null}}
            """
        let reply = try answer(
            Array(request.utf8), [FormAnswer(page: "p", entry: .text("x"))])
        let root = try JSONDocument(parsing: reply.payload).root
        let interactive = root["interactiveData"]
        #expect(interactive?["sessionIdentifier"]?.string == Self.envelope.newSession)
        let data = interactive?["data"]
        #expect(data?["replyMessage"]?["title"]?.string == "T" && data?["images"] == nil)
        #expect(data?["dynamic"]?["version"]?.string == "1.2")
        #expect(data?["dynamic"]?["private"] == nil)
        #expect(data?["dynamic"]?["selections"]?[0]?["title"] == nil)
    }

    @Test(arguments: [
        (#""100""#, 100), (#""5""#, 5), ("7", 7), ("0", 30), ("-1", 30), (#""0""#, 30),
        ("null", 30),
    ])
    func `a limit is read from a text, too, and one that lets nothing through is none`(
        _ stated: String, _ limit: Int
    ) throws {
        let request = form(#""type":"input","options":{"maximumCharacterCount":\#(stated)}"#)
        func type(_ count: Int) throws {
            let text = String(repeating: "a", count: count)
            _ = try answer(request, [FormAnswer(page: "p", entry: .text(text))])
        }
        try type(limit)
        #expect(throws: ReplyError.self) { try type(limit + 1) }
    }

    @Test func `an item without an identifier is named by its place`() throws {
        let request = form(
            #"""
            "type":"select","multipleSelection":true,"items":[{"title":"A"},
            {"title":"B","identifier":null,"value":null},{"title":"C","identifier":"c"},
            {"title":"D","identifier":""}]
            """#)
        #expect(Form(payload: request)?.start?.choices.map(\.identifier) == ["0", "1", "c", "3"])
        let reply = try answer(request, [FormAnswer(page: "p", entry: .items(["3", "c", "1"]))])
        let data = try JSONDocument(parsing: reply.payload).root["interactiveData"]?["data"]
        let items = data?["dynamic"]?["selections"]?[0]?["items"]
        #expect(
            items?.rawText
                == #"[{"identifier":"1","type":"select","title":"B","value":"B"},"#
                + #"{"identifier":"c","type":"select","title":"C","value":"C"},"#
                + #"{"identifier":"3","type":"select","title":"D","value":"D"}]"#)
        for wrong in ["2", "4", "x"] {
            #expect(throws: ReplyError.self) {
                _ = try answer(request, [FormAnswer(page: "p", entry: .items([wrong]))])
            }
        }
        // As it is stated it may be repeated, too.
        _ = try answer(request, [FormAnswer(page: "p", entry: .items([""]))])
    }

    @Test func `an item without an identifier leads to the page that it names`() throws {
        let request = Array(
            String(
                decoding: form(
                    #""type":"select","items":[{"title":"A"},{"title":"B","nextPageIdentifier":"q"}]"#
                ), as: UTF8.self
            ).replacing(#"}]}]}}}"#, with: #"}]},{"pageIdentifier":"q","type":"input"}]}}}"#).utf8)
        _ = try answer(
            request,
            [
                FormAnswer(page: "p", entry: .items(["1"])),
                FormAnswer(page: "q", entry: .text("x")),
            ])
    }

    @Test func `an item's own page goes before the page's`() throws {
        let reply = try answer(
            Corpus.payload("outbound/form/valid-three-pages"),
            [
                FormAnswer(page: "p1", entry: .items(["g"])),
                FormAnswer(page: "p3", entry: .text("01/01/2024")),
            ])
        let root = try JSONDocument(parsing: reply.payload).root
        let selections = root["interactiveData"]?["data"]?["dynamic"]?["selections"]
        #expect(selections?.count == 2)
    }

    struct Refused: CustomTestStringConvertible {
        let page: String
        let entry: FormAnswer.Entry
        let code: ReplyError.Code
        var testDescription: String { "\(page) \(entry)" }
    }

    @Test(arguments: [
        Refused(page: #""type":"select","items":[]"#, entry: .items([]), code: .badChoice),
        Refused(
            page: #""type":"select","items":[{"identifier":"a"},{"identifier":"b"}]"#,
            entry: .items(["a", "b"]), code: .tooMany),
        Refused(
            page: #""type":"select","multipleSelection":true,"items":[{"identifier":"a"}]"#,
            entry: .items(["a", "a"]), code: .badChoice),
        Refused(
            page: #""type":"picker","items":[{"identifier":"a"}]"#, entry: .items(["c"]),
            code: .notOffered),
        Refused(
            page: #""type":"picker","items":[{"identifier":"a"}]"#, entry: .text("a"),
            code: .badChoice),
        Refused(
            page: #""type":"input","options":{"required":true}"#, entry: .text(""),
            code: .badChoice),
        Refused(
            page: #""type":"input""#, entry: .text(String(repeating: "x", count: 31)),
            code: .badChoice),
        Refused(
            page: #""type":"input","options":{"inputType":"multiline"}"#,
            entry: .text(String(repeating: "x", count: 301)), code: .badChoice),
        Refused(
            page: #""type":"input","options":{"regex":"[0-9]{5}"}"#, entry: .text("123456"),
            code: .badChoice),
        Refused(
            page: #""type":"input","options":{"regex":"\"^[0-9]{5}$\""}"#, entry: .text("1234"),
            code: .badChoice),
        Refused(page: #""type":"datePicker""#, entry: .text("2026-01-01"), code: .badChoice),
        Refused(
            page: #""type":"datePicker","options":{"minimumDate":"01/02/2026"}"#,
            entry: .text("01/01/2026"), code: .notOffered),
        Refused(
            page: #""type":"datePicker","options":{"maximumDate":"01/02/2026"}"#,
            entry: .text("01/03/2026"), code: .notOffered),
        Refused(page: #""type":"datePicker""#, entry: .text("12/31/2029"), code: .notOffered),
        Refused(page: #""type":"drawing""#, entry: .text("x"), code: .wrongKind),
    ])
    func `a page accepts only what it offers`(_ row: Refused) throws {
        #expect {
            try answer(
                form(row.page), [FormAnswer(page: "p", entry: row.entry)],
                now: Timestamp(milliseconds: 1_795_000_000_000))
        } throws: { error in
            (error as? ReplyError)?.code == row.code
        }
    }

    struct Taken: CustomTestStringConvertible {
        let page: String
        let entry: FormAnswer.Entry
        let items: String
        var testDescription: String { "\(page) \(entry)" }
    }

    @Test(arguments: [
        Taken(
            page: #""type":"select","multipleSelection":true,"items":[{"identifier":"a"}]"#,
            entry: .items([]), items: "[]"),
        Taken(
            page: """
                "type":"select","multipleSelection":true,"pageItems":[\
                {"title":"A","value":"1","identifier":"a"},{"title":"B","value":"2","identifier":"b"}]
                """,
            entry: .items(["b", "a"]),
            items: """
                [{"identifier":"a","type":"select","title":"A","value":"1"},\
                {"identifier":"b","type":"select","title":"B","value":"2"}]
                """),
        Taken(
            page: #""type":"input""#, entry: .text(""),
            items: #"[{"identifier":"p","type":"input","title":"","value":""}]"#),
        Taken(
            page: #""type":"picker","items":[{"identifier":"w","title":"W"}]"#,
            entry: .items(["w"]),
            items: #"[{"identifier":"w","type":"select","title":"W","value":"W"}]"#),
        Taken(
            page: #""type":"input","options":{"regex":"","prefixText":"$"}"#, entry: .text("5"),
            items: #"[{"identifier":"p","type":"input","title":"5","value":"5"}]"#),
        Taken(
            page: #""type":"input","options":{"regex":"(?<=a)b"}"#, entry: .text("anything"),
            items: #"[{"identifier":"p","type":"input","title":"anything","value":"anything"}]"#),
        Taken(
            page: #""type":"datePicker","options":{"dateFormat":"d. MMMM yyyy"}"#,
            entry: .text("1. Mai 2026"),
            items: #"[{"identifier":"p","type":"datePicker","title":"1. Mai 2026","#
                + #""value":"1. Mai 2026"}]"#),
        Taken(
            page: #""type":"datePicker","options":{"dateFormat":"","maximumDate":"12/31/2024"}"#,
            entry: .text("01/01/2024"),
            items: #"[{"identifier":"p","type":"datePicker","title":"01/01/2024","#
                + #""value":"2024-01-01T00:00:00Z"}]"#),
        Taken(
            page: #""type":"datePicker","options":{"minimumDate":"01/01/2030"}"#,
            entry: .text("01/01/2031"),
            items: #"[{"identifier":"p","type":"datePicker","title":"01/01/2031","#
                + #""value":"2031-01-01T00:00:00Z"}]"#),
    ])
    func `what a page offers is written as the protocol has it`(_ row: Taken) throws {
        let reply = try answer(
            form(row.page), [FormAnswer(page: "p", entry: row.entry)],
            now: Timestamp(milliseconds: 1_795_000_000_000))
        let root = try JSONDocument(parsing: reply.payload).root
        let selection = root["interactiveData"]?["data"]?["dynamic"]?["selections"]?[0]
        #expect(selection?["items"]?.rawText == row.items)
    }

    @Test(arguments: [
        [FormAnswer(page: "p1", entry: .items(["b"]))],
        [
            FormAnswer(page: "p1", entry: .items(["b"])),
            FormAnswer(page: "p3", entry: .text("01/01/2024")),
        ],
        [FormAnswer(page: "p3", entry: .text("01/01/2024"))],
        FormReplyTests.branch + [FormAnswer(page: "p1", entry: .items(["b"]))],
    ])
    func `answers that are no way through the form are refused`(_ answers: [FormAnswer]) throws {
        #expect(throws: ReplyError.self) {
            try answer(Corpus.payload("outbound/form/valid-three-pages"), answers)
        }
    }

    @Test func `the old name of the template and a private form keep their sense`() throws {
        let request = form(#""type":"input""#)
        let old = String(decoding: request, as: UTF8.self)
            .split(separator: #""messageForms""#, maxSplits: 1)
        let reply = try answer(
            Array((old[0] + #""form","private":true"# + old[1]).utf8),
            [FormAnswer(page: "p", entry: .text("secret"))])
        let dynamic = try JSONDocument(parsing: reply.payload).root["interactiveData"]?["data"]?[
            "dynamic"]
        #expect(dynamic?["template"]?.string == "messageForms")
        #expect(dynamic?["private"]?.bool == true)
        #expect(!reply.summary.contains("secret"))
    }

    @Test func `a form is filled from its start to an end, and never round and round`() throws {
        let form = try #require(
            Form(payload: Corpus.payload("outbound/form/valid-three-pages")))
        let answers = form.fill { page in
            page.kind == .select ? .items([page.choices[1].identifier]) : .text(page.firstDate)
        }
        #expect(answers.map(\.page) == ["p1", "p2", "p3"])
        let circle = try #require(
            Form(payload: self.form(#""type":"input","nextPageIdentifier":"p""#)))
        #expect(circle.fill { _ in .text("x") }.count == Form.maximumAnswers)
    }

    @Test func `the phone's words for a form are read, and no others`() throws {
        let choice = try PostedChoice(
            json: Array(
                """
                {"id":"i","inReplyTo":"m","form":{"answers":[{"page":"p1","items":["b"]},\
                {"page":"p2","text":"x"}]}}
                """.utf8))
        #expect(
            choice.choice
                == .form(answers: [
                    FormAnswer(page: "p1", entry: .items(["b"])),
                    FormAnswer(page: "p2", entry: .text("x")),
                ]))
        for wrong in [
            #"{"answers":[]}"#, #"{"answers":[{"page":"p"}]}"#, #"{"answers":[{"text":"x"}]}"#,
            #"{"answers":[{"page":"p","items":[1]}]}"#, #"{"answers":{"page":"p"}}"#,
        ] {
            #expect(throws: ReplyError.self) {
                try PostedChoice(
                    json: Array(#"{"id":"i","inReplyTo":"m","form":\#(wrong)}"#.utf8))
            }
        }
    }
}
