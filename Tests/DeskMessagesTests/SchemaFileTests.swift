import DeskDiagnosis
import DeskJSON
import DeskMessages
import DeskModel
import Testing

struct SchemaFileTests {
    @Test(arguments: Corpus.schemas.map(\.name))
    func `a schema is named by its place and explains itself`(_ name: String) throws {
        let file = try #require(Corpus.schemas.first { $0.name == name })
        let root = try JSONDocument(parsing: file.bytes).root
        #expect(root["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(root["$id"]?.string == Rulebook.schemaRoot + name)
        #expect(root["title"]?.string?.isEmpty == false)
        #expect(root["description"]?.string?.isEmpty == false)
        if !name.contains("shared/") { #expect((root["examples"]?.count ?? 0) > 0) }
    }

    @Test(arguments: Corpus.schemas.map(\.name))
    func `every property has a description, every pattern its form in words`(
        _ name: String
    ) throws {
        let file = try #require(Corpus.schemas.first { $0.name == name })
        let root = try JSONDocument(parsing: file.bytes).root
        var bare: [String] = []
        search(root, "", &bare)
        #expect(bare == [])
    }

    @Test func `a schema's examples pass the rulebook`() throws {
        var count = 0
        for file in Corpus.schemas {
            let parts = file.name.split(separator: "/")
            guard parts.count == 2, parts[0] == "inbound" || parts[0] == "outbound" else {
                continue
            }
            let root = try JSONDocument(parsing: file.bytes).root
            for example in root["examples"].map({ Array($0.elements) }) ?? [] {
                let context = JudgementContext(
                    direction: parts[0] == "inbound" ? .inbound : .outbound, now: Corpus.now)
                let bytes = Array(example.rawBytes)
                #expect(try !Corpus.rulebook.get().judge(bytes, context).isRefused)
                count += 1
            }
        }
        #expect(count >= 30)
    }

    @Test func `the examples of what is no message pass their own schema`() throws {
        let rulebook = try Corpus.rulebook.get()
        let context = JudgementContext(direction: .outbound, now: Corpus.now)
        #expect(rulebook.documentNames.count >= 25)
        for name in rulebook.documentNames {
            let file = try #require(Corpus.schemas.first { $0.name == name + ".json" })
            let examples = try JSONDocument(parsing: file.bytes).root["examples"]
            #expect((examples?.count ?? 0) > 0)
            for example in examples.map({ Array($0.elements) }) ?? [] {
                let judgement = try #require(
                    rulebook.judge(Array(example.rawBytes), asDocument: name, context))
                #expect(judgement.findings.map(\.sentence) == [], "\(name)")
            }
        }
        #expect(rulebook.judge([], asDocument: "outbound/text", context) == nil)
    }

    @Test func `a message of 2017 is fixed into one of today`() throws {
        let rulebook = try Corpus.rulebook.get()
        for name in rulebook.documentNames where name.hasPrefix("2017/") {
            let file = try #require(Corpus.schemas.first { $0.name == name + ".json" })
            let direction: Direction = name.contains("/inbound/") ? .inbound : .outbound
            for example in try JSONDocument(parsing: file.bytes).root["examples"].map({
                Array($0.elements)
            }) ?? [] {
                var context = JudgementContext(
                    direction: direction, now: Corpus.now, profile: .lenient)
                let old = Array(example.rawBytes)
                #expect(!rulebook.judge(old, context).isRefused, "\(name)")
                context.profile = .strict
                var text = old
                for _ in 0..<3 {
                    text = Edits.apply(rulebook.judge(text, context).findings, to: text)
                }
                #expect(!rulebook.judge(text, context).isRefused, "\(name)")
            }
        }
    }

    @Test func `a broken or missing schema makes no rulebook`() {
        #expect(throws: RulebookError.self) { try Rulebook(schemas: []) }
        let text = Corpus.files.filter { $0.name != "outbound/text.json" }
        let broken = text + [(name: "outbound/text.json", bytes: Array("{".utf8))]
        #expect(throws: RulebookError.self) { try Rulebook(schemas: broken) }
        let unnamed = text + [(name: "outbound/text.json", bytes: Array(#"{"x-rule":"?"}"#.utf8))]
        #expect(throws: RulebookError.self) { try Rulebook(schemas: unnamed) }
    }

    @Test(
        arguments: [
            (#"{"allOf":[{},{"x-rule":"?"}]}"#, "#/allOf/1", "x-rule names no rule: ?"),
            (
                #"{"properties":{"a/b":{"x-fix":["?"]}}}"#, "#/properties/a/b",
                "x-fix names no way to fix: \"?\""
            ),
            (#"{"$defs":{"a":{"x-old":{"b":1}}}}"#, "#/$defs/a", "x-old says no value for b"),
        ])
    func `a note in a schema that says nothing known is reported with its place`(
        text: String, place: String, sentence: String
    ) throws {
        var schemas = Corpus.files.filter { $0.name != "outbound/text.json" }
        schemas.append((name: "outbound/text.json", bytes: Array(text.utf8)))
        let error = #expect(throws: RulebookError.self) { try Rulebook(schemas: schemas) }
        #expect(error?.name == "https://frontdesk.invalid/schemas/v1/outbound/text.json" + place)
        #expect(error?.sentence == sentence)
    }

    private func search(_ value: JSONValue, _ place: String, _ bare: inout [String]) {
        if value["pattern"]?.string != nil, value["x-form"]?.string == nil {
            bare.append("\(place) has a pattern without x-form")
        }
        for member in value.members {
            let here = "\(place)/\(member.key)"
            if ["examples", "if", "x-rule"].contains(member.key) { continue }
            if member.keyEquals("properties") {
                for property in member.value.members
                where property.value.kind == .object && property.value["description"] == nil
                    && property.value["$ref"] == nil
                {
                    bare.append("\(here)/\(property.key)")
                }
            }
            search(member.value, here, &bare)
        }
        for element in value.elements { search(element, place, &bare) }
    }
}
