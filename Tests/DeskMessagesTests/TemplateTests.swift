import DeskMessages
import DeskModel
import Testing

struct TemplateTests {
    private static let parameters = """
        [{"name":"name","type":"text","label":"Name"},
         {"name":"count","type":"number","required":false},
         {"name":"day","type":"date","required":false},
         {"name":"size","type":"choice","choices":["S","M"],"default":"M"}]
        """

    private func fill(
        _ payload: String, _ values: String, provided: [String: String] = [:],
        parameters: String = Self.parameters, limitBytes: Int = 65_536
    ) throws -> String {
        let form = try TemplateForm(
            payload: Array(payload.utf8), parameters: Array(parameters.utf8))
        return String(
            decoding: try form.fill(
                values: Array(values.utf8), provided: provided, limitBytes: limitBytes),
            as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"body":"Hi {{name}}!"}"#, #"{"name":"Ann"}"#, #"{"body":"Hi Ann!"}"#),
        (#"{"body":"{{ name }} {{name}}"}"#, #"{"name":"A\"}"}"#, #"{"body":"A\"} A\"}"}"#),
        (#"{"body":"{{name}}"}"#, #"{"name":"\",\"x\":\"\n"}"#, #"{"body":"\",\"x\":\"\n"}"#),
        (
            #"{"a":"{{size}}","b":"{{name}}"}"#, #"{"name":"{{size}}"}"#,
            #"{"a":"M","b":"{{size}}"}"#
        ),
        (
            #"{ "r" : "{{count|number}}" , "n":"{{name}}"}"#, #"{"name":"x","count":1.50}"#,
            #"{ "r" : 1.50 , "n":"x"}"#
        ),
        (#"{"r":"{{count}} pieces"}"#, #"{"name":"x","count":12}"#, #"{"r":"12 pieces"}"#),
        (#"{"r":"{{count|number}}"}"#, #"{"name":"x"}"#, #"{"r":null}"#),
        (
            #"{"t":"{{day|utc}}"}"#, #"{"name":"x","day":"2026-12-01T10:00+09:00"}"#,
            #"{"t":"2026-12-01T01:00+0000"}"#
        ),
        (#"{"t":"{{day}}"}"#, #"{"name":"x","day":"2026-12-01"}"#, #"{"t":"2026-12-01"}"#),
        (#"{"{{key}}":"{{name}}"}"#, #"{"name":"x"}"#, #"{"{{key}}":"x"}"#),
        (#"{"a":"{ } { {"}"#, #"{"name":"x"}"#, #"{"a":"{ } { {"}"#),
    ])
    func `values go in as JSON text and nothing else changes`(
        _ payload: String, _ values: String, _ result: String
    ) throws {
        #expect(try fill(payload, values) == result)
    }

    @Test(
        arguments: [
            ("{}", [.missing(name: "name")]),
            (#"{"name":null}"#, [.missing(name: "name")]),
            (#"{"name":""}"#, [.empty(name: "name")]),
            (#"{"name":7}"#, [.wrongType(name: "name", expected: .text)]),
            (#"{"name":"x","count":"7"}"#, [.wrongType(name: "count", expected: .number)]),
            (#"{"name":"x","day":"tomorrow"}"#, [.wrongType(name: "day", expected: .date)]),
            (#"{"name":"x","day":"2026-02-30"}"#, [.wrongType(name: "day", expected: .date)]),
            (#"{"name":"x","size":"XL"}"#, [.notAChoice(name: "size", choices: ["S", "M"])]),
            (#"{"name":"x","colour":"red"}"#, [.unknownValue(name: "colour")]),
            (
                #"{"size":"s","colour":1}"#,
                [
                    .missing(name: "name"), .notAChoice(name: "size", choices: ["S", "M"]),
                    .unknownValue(name: "colour"),
                ]
            ),
            ("[]", [.badValues]), ("", [.badValues]),
        ] as [(String, [TemplateProblem])])
    func `wrong values are refused by name, all at once`(
        _ values: String, _ problems: [TemplateProblem]
    ) throws {
        let error = try #require(throws: TemplateError.self) {
            _ = try fill(#"{"body":"{{name}} {{size}}"}"#, values)
        }
        #expect(error.problems == problems)
    }

    @Test(
        arguments: [
            (
                #"{"body":"{{nobody}}"}"#, "[]",
                [.unknownPlaceholder(name: "nobody", pointer: "/body")]
            ),
            (#"{"body":"{{first name}}"}"#, "[]", [.badPlaceholder(pointer: "/body")]),
            (#"{"body":"{{name"}"#, "[]", [.badPlaceholder(pointer: "/body")]),
            (#"{"body":"{{name|loud}}"}"#, "[]", [.badPlaceholder(pointer: "/body")]),
            (#"{"body":"about {{name|number}}"}"#, "[]", [.badPlaceholder(pointer: "/body")]),
            ("[]", "[]", [.badPayload]), ("{", "[]", [.badPayload]),
            ("{}", "{}", [.badParameters(pointer: "")]),
            ("{}", #"[{"name":"a","type":"colour"}]"#, [.badParameters(pointer: "/0")]),
            ("{}", #"[{"name":"a b","type":"text"}]"#, [.badParameters(pointer: "/0")]),
            ("{}", #"[{"name":"a","type":"choice"}]"#, [.badParameters(pointer: "/0")]),
            (
                "{}", #"[{"name":"a","type":"text"},{"name":"a","type":"text"}]"#,
                [.parameterTwice(name: "a")]
            ),
            ("{}", #"[{"name":"a","type":"number","default":"1"}]"#, [.badDefault(name: "a")]),
        ] as [(String, String, [TemplateProblem])])
    func `a broken template is refused when it is made`(
        _ payload: String, _ parameters: String, _ problems: [TemplateProblem]
    ) throws {
        let error = try #require(throws: TemplateError.self) {
            _ = try TemplateForm(payload: Array(payload.utf8), parameters: Array(parameters.utf8))
        }
        #expect(error.problems == problems)
    }

    @Test(arguments: [
        ("ja_JP", "2026-12-01", "2026年12月1日"), ("en_US", "2026-12-01", "December 1, 2026"),
        ("en_GB", "2026-12-01", "1 December 2026"), ("de", "2026-12-01", "1. Dezember 2026"),
        ("fr_FR", "2026-12-01", "1er décembre 2026"), ("fr_FR", "2026-12-02", "2 décembre 2026"),
        ("pt-BR", "2026-03-01", "1 de março de 2026"), ("ko_KR", "2026-12-01", "2026년 12월 1일"),
        ("xx", "2026-12-01", "2026-12-01"), ("", "2026-12-01", "2026-12-01"),
        ("en_US", "2026-12-01T09:30+09:00", "December 1, 2026 09:30"),
    ])
    func `a day is written as the customer's language does`(
        locale: String, value: String, written: String
    ) throws {
        let filled = try fill(
            #"{"t":"{{day|date}}"}"#, #"{"name":"x","day":"\#(value)"}"#,
            provided: ["customer.locale": locale])
        #expect(filled == #"{"t":"\#(written)"}"#)
    }

    @Test func `what is no day is refused where a day is written`() throws {
        let error = try #require(throws: TemplateError.self) {
            _ = try fill(#"{"t":"{{name|date}}"}"#, #"{"name":"soon"}"#)
        }
        #expect(error.problems == [.wrongType(name: "name", expected: .date)])
    }

    @Test(
        arguments: [
            ("[]", [.missingFallback(name: "customer.name", pointer: "/body")]),
            (#"[{"name":"customer.name","type":"text","default":"there"}]"#, []),
            (#"[{"name":"customer.name","type":"text"}]"#, []),
        ] as [(String, [TemplateProblem])])
    func `a name that some customers do not have needs a fallback or is asked for`(
        _ parameters: String, _ problems: [TemplateProblem]
    ) throws {
        let form = try TemplateForm(
            payload: Array(#"{"body":"{{customer.name}} {{business.name}} {{agent.name}}"}"#.utf8),
            parameters: Array(parameters.utf8))
        var found: [TemplateProblem] = []
        do { try form.requireFallbacks() } catch { found = error.problems }
        #expect(found == problems)
    }

    @Test func `what the server knows is filled in unless it is given`() throws {
        let payload = #"{"body":"{{customer.name}}, {{agent.name}}"}"#
        let provided = ["customer.name": "Ann \"A\"", "agent.name": "Bob", "business.name": "Shop"]
        #expect(
            try fill(payload, #"{"agent.name":"Eve"}"#, provided: provided, parameters: "")
                == #"{"body":"Ann \"A\", Eve"}"#)
        let error = try #require(throws: TemplateError.self) {
            _ = try fill(payload, "{}", provided: ["agent.name": "Bob"], parameters: "")
        }
        #expect(error.problems == [.missing(name: "customer.name")])
    }

    @Test(arguments: [
        (#"{"a":"{{name}}{{ name }}","b":"{{count|number}}"}"#, #"{"name":"\"\n😀","count":1.50}"#),
        (#"{"a":"{{day|utc}} {{day}}"}"#, #"{"name":"x","day":"2026-12-01T10:00+09:00"}"#),
        (#"{"a":"{{count}}","b":"{{count|number}}","c":"{{size}}"}"#, #"{"name":"x"}"#),
    ])
    func `the size of what is made is known before, to the byte`(
        _ payload: String, _ values: String
    ) throws {
        let count = try fill(payload, values).utf8.count
        #expect(try fill(payload, values, limitBytes: count).utf8.count == count)
        let error = try #require(throws: TemplateError.self) {
            _ = try fill(payload, values, limitBytes: count - 1)
        }
        #expect(error.problems == [.tooLarge(bytes: count, limit: count - 1)])
    }

    @Test func `what a few bytes would become is refused, whether given or a default`() throws {
        let payload = #"{"body":""# + String(repeating: "{{p}}", count: 2_000) + #""}"#
        let long = String(repeating: "x", count: 500_000)
        for (values, standard) in [("{\"p\":\"\(long)\"}", "null"), ("{}", "\"\(long)\"")] {
            let error = try #require(throws: TemplateError.self) {
                _ = try fill(
                    payload, values,
                    parameters: #"[{"name":"p","type":"text","default":\#(standard)}]"#)
            }
            #expect(error.problems == [.tooLarge(bytes: 1_000_000_011, limit: 65_536)])
        }
    }

    @Test func `a template has so many placeholders and not one more`() throws {
        func template(_ count: Int) throws -> TemplateForm {
            let text = String(repeating: "{{name}}", count: count)
            return try TemplateForm(
                payload: Array(#"{"a":"\#(text)"}"#.utf8), parameters: Array(Self.parameters.utf8))
        }
        #expect(try template(TemplateForm.maximumGaps).placeholders == ["name"])
        let error = try #require(throws: TemplateError.self) {
            _ = try template(TemplateForm.maximumGaps + 1)
        }
        #expect(error.problems == [.tooManyPlaceholders])
    }

    @Test func `however much is wrong, the report of it is bounded`() throws {
        let deep = String(repeating: #"{"\#(String(repeating: "k", count: 1_000))":"#, count: 40)
        let texts = (0..<5_000).map { "\"{{q\($0)}}\"" }.joined(separator: ",")
        let payload = deep + "[" + texts + "]" + String(repeating: "}", count: 40)
        let error = try #require(throws: TemplateError.self) { _ = try fill(payload, "{}") }
        #expect(error.problems.count == 2)
        let flat = try #require(throws: TemplateError.self) { _ = try fill("[\(texts)]", "{}") }
        #expect(flat.problems == [.badPayload])
        let wide = try #require(throws: TemplateError.self) {
            _ = try fill(#"{"a":[\#(texts)]}"#, "{}")
        }
        #expect(wide.problems.count == 100)
        let many = (0..<900).map { "\"z\($0)\":1" }.joined(separator: ",")
        let unknown = try #require(throws: TemplateError.self) { _ = try fill("{}", "{\(many)}") }
        #expect(unknown.problems.count == 100)
        let choices = (0..<100).map { "\"\($0)" + String(repeating: "y", count: 5_000) + "\"" }
        let choice = try #require(throws: TemplateError.self) {
            _ = try fill(
                "{}", #"{"c":"no"}"#,
                parameters:
                    #"[{"name":"c","type":"choice","choices":[\#(choices.joined(separator: ","))]}]"#
            )
        }
        #expect(choice.description.utf8.count < 1_000)
    }

    @Test func `a filled template is judged like any payload`() throws {
        let filled = try fill(#"{"type":"text","body":"{{name}}"}"#, #"{"name":"x"}"#)
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        #expect(try !Corpus.rulebook.get().judge(Array(filled.utf8), context).isRefused)
    }

    @Test(arguments: [
        (#"{"bid":"a:<team-identifier>:<bundle_id>"}"#, ["team-identifier", "bundle_id"]),
        (#"{"a":"1 < 2 > 0","b":"<b>","c":"<a href>","d":"<>"}"#, []),
        (#"{"a":"<<team>>"}"#, ["team"]), (#"{"<key>":1}"#, []), ("{", []),
        (#"{"a":["<one1>",{"b":"x<two>y"}]}"#, ["one1", "two"]),
    ])
    func `placeholders in angle brackets are found in texts`(_ json: String, _ names: [String]) {
        let gaps = AngleGap.find(in: Array(json.utf8))
        #expect(gaps.map(\.name) == names)
        for gap in gaps {
            let text = String(decoding: Array(json.utf8)[gap.range], as: UTF8.self)
            #expect(text == "<\(gap.name)>")
        }
    }
}
