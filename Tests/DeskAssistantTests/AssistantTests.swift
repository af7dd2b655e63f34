import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import Synchronization
import TestSupport
import Testing

@testable import DeskAssistant

struct AssistantTests {
    private static let now = Timestamp(milliseconds: 1_780_000_000_000)
    private static let shop = BusinessID(UniqueID(high: 1, low: 1))

    private static func make(
        _ model: ScriptedModel, deadline: Duration = .seconds(60),
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> Assistant {
        Assistant(
            ChatCompletions(url: "http://m.example/v1", key: nil, model: "m", client: model),
            blanks: Set(Blanking.Kind.allCases), schemas: TestFiles.schemas, deadline: deadline,
            clock: clock)
    }

    /// What was recorded.
    private final class Records: Sendable {
        private let list = Mutex<[Assistant.Sending]>([])
        var all: [Assistant.Sending] { list.withLock { $0 } }
        func add(_ sending: Assistant.Sending) { list.withLock { $0.append(sending) } }
    }

    private struct Full: Error {}

    private static func draft(
        _ assistant: Assistant, _ kind: MessageKind = .text, _ lines: [Line] = [],
        instruction: String? = nil, records: Records = Records(),
        judge: @Sendable ([UInt8]) async throws -> Assistant.Verdict = { .good($0) }
    ) async throws(AssistantError) -> String {
        let bytes = try await assistant.draft(
            kind, instruction, after: lines, of: "Tea shop", for: shop, at: now, locale: "ja_JP",
            record: { records.add($0) }, judge: judge)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a model gets the schema of the kind and what was said, blanked and without names`()
        async throws
    {
        let model = ScriptedModel([.says(#"{"type":"text","body":"To [e-mail 1]."}"#)])
        let records = Records()
        let lines = [
            Line(.customer, "I am ada@example.com, card 4111 1111 1111 1111"),
            Line(.business, "Thank you."),
        ]
        let text = try await Self.draft(
            Self.make(model), .text, lines, instruction: "Write to ada@example.com",
            records: records)
        #expect(text == #"{"type":"text","body":"To ada@example.com."}"#)
        let body = try #require(model.bodies.first)
        let format = body["response_format"]
        #expect(format?["type"]?.string == "json_schema")
        #expect(format?["json_schema"]?["schema"]?["properties"]?["body"] != nil)
        #expect(format?["json_schema"]?["schema"]?["properties"]?["id"] == nil)
        let said = ScriptedModel.texts(of: body).joined(separator: "\n")
        #expect(!said.contains("ada@example.com") && !said.contains("4111"))
        #expect(said.contains(#"{"speaker":"customer","text":"I am [e-mail 1], card [card 1]"}"#))
        #expect(said.contains("Write to [e-mail 1]"))
        let sending = try #require(records.all.first)
        #expect(records.all.count == 1 && sending.round == 1 && sending.purpose == .reply)
        #expect(sending.blanked == [.emails: 1, .cards: 1, .phones: 0])
    }

    @Test func `findings are given back twice and not once more`() async throws {
        let model = ScriptedModel([
            .says("no JSON at all"), .says(#"{"type":"text"}"#), .says(#"{"type":"word"}"#),
            .says(#"{"type":"text","body":"never asked for"}"#),
        ])
        let records = Records()
        let error = await #expect(throws: AssistantError.self) {
            try await Self.draft(Self.make(model), .list, records: records) { written in
                .bad(
                    sentences: ["No: \(String(decoding: written, as: UTF8.self))"],
                    findings: Array("[1]".utf8))
            }
        }
        #expect(error?.code == .unusable && error?.findings == Array("[1]".utf8))
        #expect(records.all.map(\.round) == [1, 2, 3])
        #expect(records.all.allSatisfy { $0.purpose == .card })
        #expect(model.requests.count == 1 + Assistant.maximumCorrections)
        let last = ScriptedModel.texts(of: try #require(model.bodies.last))
        // Each correction repeats what was written, and says what is wrong with it.
        #expect(
            last.contains("no JSON at all") && last.last?.contains(#"No: {"type":"text"}"#) == true)
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":1}"#), ("\n\n {\"a\":1}", #"{"a":1}"#),
        ("```json\n{\"a\":1}\n```\nThere you are.", #"{"a":1}"#), ("```\n{}", "{}"),
        (#"Here: {"a":{"b":"}\"{"}} I hope it helps {really}."#, #"{"a":{"b":"}\"{"}}"#),
        ("```json\n{\"a\":\"```\"}\n```", "{\"a\":\"```\"}"),
        (#"{"a":{"b":1}"#, #"{"a":{"b":1}"#), (#"{"a":"b}"#, #"{"a":"b}"#),
        ("Here it is: {\"a\":1}", #"{"a":1}"#), ("{\"a\":\"```\"}", "{\"a\":\"```\"}"),
        ("none", "none"), ("", ""),
    ])
    func `the fence and the words that some models put around JSON are removed`(
        written: String, json: String
    ) {
        #expect(Assistant.json(in: written) == json)
    }

    @Test func `nothing is sent that could not be recorded`() async throws {
        let model = ScriptedModel([.says("Tea.")])
        let assistant = Self.make(model)
        let error = await #expect(throws: AssistantError.self) {
            try await assistant.summary(
                of: [Line(.customer, "Hi")], in: "en", of: "Shop", for: Self.shop, at: Self.now,
                record: { _ in throw Full() })
        }
        #expect(error?.code == .unrecorded && model.requests.isEmpty)
    }

    @Test func `the deadline is for all rounds together`() async throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let model = ScriptedModel([.says("one"), .says("two"), .says("three")]) {
            passed.withLock { $0 += .seconds(4) }
        }
        let assistant = Self.make(model, deadline: .seconds(7)) {
            start.advanced(by: passed.withLock { $0 })
        }
        let error = await #expect(throws: AssistantError.self) {
            try await Self.draft(assistant) { _ in .bad(sentences: ["No."], findings: []) }
        }
        #expect(error?.code == .slow)
        #expect(model.requests.map(\.timeout) == [.seconds(7), .seconds(3)])
    }

    @Test func `a summary and a translation come back with what was blanked`() async throws {
        let model = ScriptedModel([.says("Asks for [phone 1]."), .says("[e-mail 1] へ")])
        let assistant = Self.make(model)
        let summary = try await assistant.summary(
            of: [Line(.customer, "Phone +49 30 901820")], in: "en", of: "Shop", for: Self.shop,
            at: Self.now, record: { _ in })
        #expect(summary == "Asks for +49 30 901820.")
        let translation = try await assistant.translation(
            of: "To ada@example.com", to: "ja", for: Self.shop, record: { _ in })
        #expect(translation == "ada@example.com へ")
        #expect(model.bodies.allSatisfy { $0["response_format"] == nil })
    }

    @Test func `a number at the place where a long text is cut does not leave in halves`()
        async throws
    {
        let model = ScriptedModel([.says("Tee.")])
        let padding = String(repeating: "x", count: Blanking.mostBytes - 11)
        _ = try await Self.make(model).translation(
            of: padding + " 4111 1111 1111 1111", to: "de", for: Self.shop, record: { _ in })
        let sent = ScriptedModel.texts(of: try #require(model.bodies.first)).joined()
        #expect(sent.contains("[card 1]") && !sent.contains("4111"))
    }

    @Test(arguments: Assistant.kinds)
    func `each kind has one schema that refers to nothing outside of it`(kind: MessageKind) throws {
        let text = try #require(BundledSchemas(TestFiles.schemas).bundle(of: kind))
        let root = try #require(JSONValue.parsed(text))
        var library = SchemaLibrary()
        let uri = "https://frontdesk.invalid/bundle.json"
        try library.register(text, at: uri)
        let schema = try library.compile(uri, nulls: .absent)
        #expect(!root.rawText.contains("../") && !root.rawText.contains("\"examples\""))
        // Every example that is right by the real schema, less what is withheld, is right by this one.
        let folder = "Schemas/outbound/"
        let name = try #require(
            TestFiles.schemas.first {
                JSONValue.parsed($0.bytes)?["examples"] != nil
                    && $0.name == "outbound/\(Self.file(kind)).json"
            })
        let examples = try #require(JSONValue.parsed(name.bytes)?["examples"])
        #expect(folder.count > 0 && examples.count > 0)
        for example in examples.elements {
            let reduced = Self.reduced(JSON(example)).bytes()
            let value = try #require(JSONValue.parsed(reduced))
            let findings = schema.findings(value).map { "\($0.value.path): \($0.allowed)" }
            #expect(schema.isValid(value), "\(kind): \(findings)")
        }
        #expect(!schema.isValid(try #require(JSONValue.parsed(Array("{}".utf8)))))
    }

    private static func file(_ kind: MessageKind) -> String {
        switch kind {
        case .quickReply: "quick-reply"
        case .list: "list-picker"
        case .time: "time-picker"
        default: kind.rawValue
        }
    }

    private static func reduced(_ value: JSON) -> JSON {
        let withheld: Set = [
            "$schema", "v", "id", "sourceId", "destinationId", "locale", "attachments", "images",
            "imageIdentifier", "sessionIdentifier", "useLiveLayout", "mspVersion",
        ]
        switch value {
        case .object(let members):
            return .object(
                members.filter { !withheld.contains($0.0) }.map { ($0.0, reduced($0.1)) })
        case .array(let elements): return .array(elements.map(reduced))
        default: return value
        }
    }
}
