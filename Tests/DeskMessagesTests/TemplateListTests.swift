import DeskDiagnosis
import DeskMessages
import DeskModel
import Testing

/// Templates whose elements are repeated for the items of a list.
struct TemplateListTests {
    private static let parameters = """
        [{"name":"shop","type":"text"},
         {"name":"slots","type":"list","members":[
            {"name":"start","type":"date"},{"name":"minutes","type":"number","default":30},
            {"name":"room","type":"choice","choices":["A","B"],"required":false}]},
         {"name":"extras","type":"list","required":false,"members":[{"name":"title","type":"text"}]}]
        """

    private func form(
        _ payload: String, _ parameters: String = Self.parameters
    ) throws(TemplateError) -> TemplateForm {
        try TemplateForm(payload: Array(payload.utf8), parameters: Array(parameters.utf8))
    }

    private func fill(
        _ payload: String, _ values: String, limitBytes: Int = 65_536
    ) throws -> String {
        String(
            decoding: try form(payload).fill(values: Array(values.utf8), limitBytes: limitBytes),
            as: UTF8.self)
    }

    private static let two =
        #"{"shop":"x","slots":[{"start":"2026-12-01T09:00+09:00"},{"start":"2026-12-02T09:00+09:00","minutes":45,"room":"B"}]}"#

    @Test(arguments: [
        (
            #"{"s":[{"{{slots}}":{"t":"{{slots.start|utc}}","n":"{{slots.position}}"}}]}"#, two,
            #"{"s":[{"t":"2026-12-01T00:00+0000","n":"1"},{"t":"2026-12-02T00:00+0000","n":"2"}]}"#
        ),
        (
            #"{"s":[{"{{slots}}":"{{shop}} {{slots.room}}"}]}"#, two, #"{"s":["x ","x B"]}"#
        ),
        (
            #"{"s":[{"{{slots}}":["{{slots.minutes|number}}","{{slots.position|number}}"]}]}"#, two,
            #"{"s":[[30,1],[45,2]]}"#
        ),
        // An element before, one after, an empty list between, and bytes around that stay.
        (
            #"{ "s" : [ 1 , {"{{slots}}":2}, {"{{extras}}":"{{extras.title}}"} , {"k" : 3} ] }"#,
            two,
            #"{ "s" : [1,2,2,{"k" : 3}] }"#
        ),
        (#"{"s":[{"{{extras}}":1}],"t":[{"{{extras}}":2},3]}"#, two, #"{"s":[],"t":[3]}"#),
        // A list is written wherever it is wanted.
        (#"{"s":[[{"{{slots}}":1}],[{"{{slots}}":2}]]}"#, two, #"{"s":[[1,1],[2,2]]}"#),
        // Only an element of an array is repeated.
        (#"{"s":{"{{slots}}":1}}"#, two, #"{"s":{"{{slots}}":1}}"#),
        (#"{"s":[{"{{slots}}":1,"x":2}]}"#, two, #"{"s":[{"{{slots}}":1,"x":2}]}"#),
    ])
    func `an element is written once for each item`(
        _ payload: String, _ values: String, _ result: String
    ) throws {
        #expect(try fill(payload, values) == result)
    }

    @Test(
        arguments: [
            (#""slots":{}"#, [.wrongType(name: "slots", expected: .list)]),
            (#""slots":[]"#, [.noItems(name: "slots")]),
            (#""slots":null"#, [.missing(name: "slots")]),
            (#""slots":[1,{}]"#, [.notAnItem(name: "slots/0"), .missing(name: "slots/1/start")]),
            (
                #""slots":[{"start":"soon","minutes":"5","room":"C","colour":1}]"#,
                [
                    .wrongType(name: "slots/0/start", expected: .date),
                    .wrongType(name: "slots/0/minutes", expected: .number),
                    .notAChoice(name: "slots/0/room", choices: ["A", "B"]),
                    .unknownValue(name: "slots/0/colour"),
                ]
            ),
            // A day is no moment.
            (
                #""slots":[{"start":"2026-12-01"}]"#,
                [.wrongType(name: "slots/0/start", expected: .date)]
            ),
        ] as [(String, [TemplateProblem])])
    func `wrong items are refused by their place, all at once`(
        _ values: String, _ problems: [TemplateProblem]
    ) throws {
        let error = try #require(throws: TemplateError.self) {
            _ = try fill(
                #"{"s":[{"{{slots}}":"{{slots.start|utc}}"}]}"#, #"{"shop":"x",\#(values)}"#)
        }
        #expect(error.problems == problems)
    }

    @Test(
        arguments: [
            (
                #"{"s":[{"{{nobody}}":1}]}"#, parameters,
                [.unknownPlaceholder(name: "nobody", pointer: "/s/0")]
            ),
            (
                #"{"s":[{"{{shop}}":1}]}"#, parameters,
                [.notAList(name: "shop", pointer: "/s/0")]
            ),
            (#"{"s":"{{slots}}"}"#, parameters, [.misplacedList(name: "slots", pointer: "/s")]),
            (
                #"{"s":"{{slots.start}}"}"#, parameters,
                [.misplacedList(name: "slots", pointer: "/s")]
            ),
            (
                #"{"s":[{"{{slots}}":[{"{{extras}}":1}]}]}"#, parameters,
                [.misplacedList(name: "extras", pointer: "/s/0/{{slots}}/0")]
            ),
            (
                #"{"s":[{"{{slots}}":"{{slots.end}}"}]}"#, parameters,
                [.unknownPlaceholder(name: "slots.end", pointer: "/s/0/{{slots}}")]
            ),
            (
                "{}", #"[{"name":"a","type":"list","members":[]}]"#, [.badParameters(pointer: "/0")]
            ),
            (
                "{}",
                #"[{"name":"a","type":"list","members":[{"name":"b","type":"list","members":[{"name":"c","type":"text"}]}]}]"#,
                [.badParameters(pointer: "/0")]
            ),
            (
                "{}",
                #"[{"name":"a","type":"list","members":[{"name":"position","type":"text"}]}]"#,
                [.badParameters(pointer: "/0")]
            ),
            (
                "{}", #"[{"name":"a","type":"text","members":[{"name":"b","type":"text"}]}]"#,
                [.badParameters(pointer: "/0")]
            ),
            (
                "{}",
                #"[{"name":"a","type":"list","members":[{"name":"b","type":"text"}]},{"name":"a.b","type":"text"}]"#,
                [.parameterTwice(name: "a.b")]
            ),
            (
                "{}",
                #"[{"name":"a","type":"list","members":[{"name":"b","type":"text"}],"default":[{}]}]"#,
                [.badDefault(name: "a")]
            ),
        ] as [(String, String, [TemplateProblem])])
    func `a list that cannot be is refused when the template is made`(
        _ payload: String, _ parameters: String, _ problems: [TemplateProblem]
    ) throws {
        let error = try #require(throws: TemplateError.self) {
            _ = try form(payload, parameters)
        }
        #expect(error.problems == problems)
    }

    @Test func `what a list multiplies is bounded before anything is made`() throws {
        let items = Array(repeating: #"{"title":"x"}"#, count: 100).joined(separator: ",")
        let values = #"{"shop":"x","slots":[{"start":"2026-12-01"}],"extras":[\#(items)]}"#
        func payload(_ gaps: Int) -> String {
            let gaps = String(repeating: "{{shop}}", count: gaps)
            return #"{"s":[{"{{extras}}":"\#(gaps)"}]}"#
        }
        #expect(
            try fill(payload(99), values).utf8.count == #"{"s":[]}"#.utf8.count + 100 * 102 - 1)
        let places = try #require(throws: TemplateError.self) { _ = try fill(payload(100), values) }
        #expect(places.problems == [.tooManyPlaceholders])
        let size = try #require(throws: TemplateError.self) {
            _ = try fill(payload(99), values, limitBytes: 10_000)
        }
        #expect(size.problems == [.tooLarge(bytes: 10_207, limit: 10_000)])
        // Elements without a placeholder are written as often.
        let elements = Array(repeating: #"{"{{extras}}":1}"#, count: 101).joined(separator: ",")
        let many = try #require(throws: TemplateError.self) {
            _ = try fill(#"{"s":[\#(elements)]}"#, values)
        }
        #expect(many.problems == [.tooManyPlaceholders])
        let more = try #require(throws: TemplateError.self) {
            _ = try fill(payload(1), values.replacing("}]}", with: #"},{"title":"y"}]}"#))
        }
        #expect(more.problems == [.tooManyItems(name: "extras")])
    }

    private static func picker(_ slot: String) -> String {
        """
        {"v":1,"id":"6f2d1c5e-0000-4000-8000-000000000049","type":"interactive",
         "sourceId":"b9159070-c454-4135-8bf3-049809624818",
         "destinationId":"urn:mbid:AQAAY3hLb0pQZ0VxTm9mUmRUdVZ3WHlaMDEyMzQ1Njc4OSsv",
         "interactiveData":{
          "bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension",
          "data":{"version":"1.0","requestIdentifier":"9c1b2f5e-1111-4a6b-9d0a-000000000004",
           "event":{"identifier":"fitting","title":"{{shop}}","timezoneOffset":540,
            "timeslots":[{"{{slots}}":\(slot)}]}},
          "receivedMessage":{"title":"Choose a time","style":"icon"},
          "replyMessage":{"title":"Your time","style":"icon"}}}
        """
    }

    private static let context = JudgementContext(
        direction: .outbound, now: Corpus.now, profile: .strict)

    @Test func `a time picker of any number of free times can be sent`() throws {
        let rulebook = try Corpus.rulebook.get()
        let payload = Self.picker(
            #"{"identifier":"{{slots.position}}","startTime":"{{slots.start|utc}}","duration":"{{slots.minutes|number}}"}"#
        )
        let form = try form(payload)
        #expect(form.faults(judgedBy: rulebook, Self.context, limitBytes: 65_536) == [])
        for values in [Self.two, #"{"shop":"x","slots":[{"start":"2026-12-01T09:00+09:00"}]}"#] {
            let filled = try form.fill(values: Array(values.utf8), limitBytes: 65_536)
            #expect(rulebook.judge(filled, Self.context).errors == [])
        }
    }

    @Test(arguments: [
        (
            #"{"identifier":"{{slots.position}}","duration":60}"#, Rule.missingKey,
            "/interactiveData/data/event/timeslots/0/{{slots}}"
        ),
        (
            #"{"identifier":"a","startTime":"{{slots.start|utc}}","duration":"{{slots.minutes}} min"}"#,
            Rule.wrongType, "/interactiveData/data/event/timeslots/0/{{slots}}/duration"
        ),
        (
            #""{{slots.start}}""#, Rule.wrongType,
            "/interactiveData/data/event/timeslots/0/{{slots}}"
        ),
    ])
    func `an element that no value makes right is named where the template has it`(
        _ slot: String, _ rule: Rule, _ pointer: String
    ) throws {
        let faults = try form(Self.picker(slot)).faults(
            judgedBy: Corpus.rulebook.get(), Self.context, limitBytes: 65_536)
        let found = try #require(faults.first)
        #expect((found.finding.rule, found.finding.pointer) == (rule, pointer))
    }
}
