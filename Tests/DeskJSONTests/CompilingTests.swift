import DeskJSON
import Testing

struct CompilingTests {
    @Test(
        arguments: [
            (#"{"type": "text"}"#, .badKeyword), (#"{"type": 1}"#, .badKeyword),
            (#"{"minLength": -1}"#, .badKeyword), (#"{"multipleOf": 0}"#, .badKeyword),
            (#"{"items": []}"#, .badKeyword), (#"{"anyOf": []}"#, .badKeyword),
            (#"{"maxLength": 1, "x-unit": "words"}"#, .badKeyword),
            (#"{"properties": {"a": 3}}"#, .badKeyword), (#"[]"#, .badKeyword),
            (#"{"$id": "x#y"}"#, .badKeyword), (#"{"required": [1]}"#, .badKeyword),
            (#"{"pattern": "("}"#, .badPattern), (#"{"pattern": "\\Z"}"#, .badPattern),
            (#"{"pattern": "(?=a)"}"#, .unsupportedPattern),
            (#"{"pattern": "(?<!a)b"}"#, .unsupportedPattern),
            (#"{"pattern": "(a)\\1"}"#, .unsupportedPattern),
            (#"{"pattern": "a{1001}"}"#, .unsupportedPattern),
            (##"{"$ref": "#/nowhere"}"##, .unresolvedReference),
            (##"{"$ref": "#anchor"}"##, .unresolvedReference),
            (#"{"$ref": "http://example.com/other"}"#, .unknownSchema),
            (#"{"$schema": "http://example.com/meta"}"#, .unknownVocabulary),
            (##"{"$ref": "#"}"##, .endlessReference),
            (##"{"allOf": [{"not": {"$ref": "#/allOf/0"}}]}"##, .endlessReference),
            (#"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"#, .duplicateIdentifier),
            (#"{"a":1,"a":2}"#, .notJSON), (#"{"#, .notJSON),
        ] as [(String, SchemaError.Code)])
    func `a schema that cannot be used is refused with a reason`(
        text: String, code: SchemaError.Code
    ) {
        #expect(throws: SchemaError.self) { try compile(text) }
        do throws(SchemaError) {
            _ = try compile(text)
        } catch {
            #expect(error.code == code)
            #expect(error.sentence.hasSuffix("."))
        }
    }

    @Test func `a URI is used once`() throws {
        var library = SchemaLibrary()
        try library.register(Array("{}".utf8), at: "test:a")
        #expect(throws: SchemaError.self) { try library.register(Array("{}".utf8), at: "test:a") }
        #expect(throws: SchemaError.self) { try library.compile("test:b") }
    }

    @Test func `schemas refer to each other by URI without any network`() throws {
        var library = SchemaLibrary()
        let part = #"{"$id": "https://frontdesk.invalid/part", "$defs": {"n": {"type": "number"}}}"#
        try library.register(Array(part.utf8), at: "test:part")
        try library.register(
            Array(#"{"$ref": "part#/$defs/n"}"#.utf8), at: "https://frontdesk.invalid/x")
        let schema = try library.compile("https://frontdesk.invalid/x")
        #expect(schema.isValid(try JSONDocument(parsing: "1").root))
        #expect(!schema.isValid(try JSONDocument(parsing: "\"1\"").root))
    }

    @Test func `the metaschema judges schemas`() throws {
        let schema = try SchemaLibrary().compile("https://json-schema.org/draft/2020-12/schema")
        for (text, isValid) in [
            (#"{"type": "string", "properties": {"a": true}}"#, true), (#"{"type": 3}"#, false),
            (#"{"properties": {"a": {"minLength": -1}}}"#, false), ("true", true), ("3", false),
            (#"{"pattern": "("}"#, false), (#"{"$defs": {"x": {"allOf": []}}}"#, false),
        ] {
            #expect(schema.isValid(try JSONDocument(parsing: text).root) == isValid, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("^\\d+$", "٣", false), ("^\\d+$", "42", true), ("^\\w$", "é", false),
            ("^\\s$", "\u{feff}", true), ("^\\S$", "\u{2003}", false),
            ("^[\\S]$", "\u{2003}", false),
            ("^[^\\s]$", "x", true), ("^.$", "\u{2028}", false), ("^.$", "😀", true),
            ("^\\u00e9$", "é", true), ("^\\uD83D\\uDE00$", "😀", true), ("^\\u{1F600}$", "😀", true),
            ("^\\cA$", "\u{1}", true), ("^(?<year>\\d{4})$", "2025", true), ("a$", "a\n", false),
            ("^\\p{Lu}+$", "É", true), ("^\\p{Script=Greek}$", "α", true),
            ("^\\p{Letter}$", "é", true), ("^[\\p{L}-]+$", "a-b", true), ("[^]", "\n", true),
            ("[]", "a", false), ("^[\\b]$", "\u{8}", true), ("^\\/$", "/", true),
            ("^a{2,3}?$", "aaa", true), ("x|^y", "zy", false), ("^[\\w.-]+@x$", "a.b-c@x", true),
        ])
    func `patterns mean what ECMA-262 says`(pattern: String, text: String, isMatch: Bool) throws {
        let schema: JSON = ["pattern": .string(pattern)]
        let instance = try JSONDocument(parsing: JSON.string(text).bytes())
        #expect(try compile(schema.text()).isValid(instance.root) == isMatch)
    }

    @Test(arguments: [
        "a{,2}", "a**", "]", "}", "{", "(?a)", "[b-a]", "\\a", "\\u{110000}", "[\\d-z]",
    ])
    func `what is no pattern is refused`(pattern: String) {
        #expect(throws: SchemaError.self) {
            try compile((["pattern": .string(pattern)] as JSON).text())
        }
    }

    @Test(
        arguments: [
            (#"{"minimum": 0.1}"#, "0.1", true),
            (#"{"minimum": 0.1}"#, "0.09999999999999999999", false),
            (#"{"maximum": 9007199254740993}"#, "9007199254740994", false),
            (#"{"maximum": 9007199254740993}"#, "9007199254740993.0", true),
            (#"{"minimum": -5}"#, "-5.5", false), (#"{"maximum": -5}"#, "-5.5", true),
            (#"{"exclusiveMinimum": 0}"#, "0.0000000001", true),
            (#"{"exclusiveMaximum": 1e400}"#, "1e399", true),
            (#"{"multipleOf": 0.01}"#, "19.99", true),
            (#"{"multipleOf": 0.01}"#, "19.999", false), (#"{"multipleOf": 3}"#, "3e50", true),
            (#"{"multipleOf": 7}"#, "1e50", false), (#"{"const": 1.0}"#, "1", true),
            (#"{"const": 100}"#, "1e2", true), (#"{"type": "integer"}"#, "1.0e1", true),
            (#"{"type": "integer"}"#, "1e-1", false), (#"{"minimum": 1}"#, "-1e300", false),
        ])
    func `numbers are compared exactly`(schema: String, text: String, isValid: Bool) throws {
        let instance = try JSONDocument(parsing: text).root
        #expect(try compile(schema).isValid(instance) == isValid)
    }

    @Test func `a schema that grows without end on one value stops`() throws {
        let text = ##"{"$id": "test:x", "$dynamicAnchor": "n", "allOf": [{"$dynamicRef": "#n"}]}"##
        let schema = try compile(text)
        let root = try JSONDocument(parsing: "1").root
        #expect(!schema.isValid(root))
        #expect(schema.findings(root).count == 1)
    }

    @Test func `many alternatives on a deep value stop in bounded time`() throws {
        let text =
            ##"{"anyOf": [{"items": {"$ref": "#"}, "minItems": 3}, {"items": {"$ref": "#"}, "minItems": 2}, {"type": "null"}]}"##
        let schema = try compile(text)
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let root = try JSONDocument(parsing: deep).root
        #expect(!schema.isValid(root))
        #expect(!schema.findings(root).isEmpty)
    }

    private func compile(_ text: String) throws(SchemaError) -> JSONSchema {
        var library = SchemaLibrary()
        try library.register(Array(text.utf8), at: "test:schema")
        return try library.compile("test:schema")
    }
}
