import CAllocationCount
import DeskJSON
import FoundationEssentials
import Testing

/// What a verdict on valid input allocates: nothing.
@Suite(.enabled(if: allocation_count_works() == 1, "a sanitizer brings its own malloc"))
struct AllocationTests {
    /// Keywords with an instance that uses their longer way: escapes, long numbers, many members.
    @Test(
        arguments: [
            (
                #"{"minLength": 2, "maxLength": 4000}"#,
                "\"" + String(repeating: "\\n", count: 2_000) + "\""
            ),
            (
                #"{"pattern": "^[a-c\\n]+$"}"#,
                "\"" + String(repeating: "ab\\n", count: 2_000) + "\""
            ),
            (#"{"pattern": "\\bword\\b"}"#, #""a word or two""#),
            (#"{"enum": ["x", "é\ny"]}"#, #""\u00e9\ny""#),
            (
                #"{"const": {"b": [1.50, "x\ty"], "a": null}}"#,
                #"{"a": null, "b": [15e-1, "x\u0009y"]}"#
            ),
            (#"{"minimum": 0.1, "maximum": 1e30}"#, "123456789012345678901234567890.5"),
            (#"{"multipleOf": 0.01}"#, "1234567890123456789.25"),
            (#"{"type": "integer"}"#, "1.0e3"),
            (#"{"items": {"type": "number"}, "contains": {"const": 3}}"#, "[1, 2, 3]"),
            (
                #"{"uniqueItems": true}"#,
                #"[1, "1", [1], {"a": 1}, {"a": 2}, "\u0032", 1.5, null, true]"#
            ),
            (
                #"{"uniqueItems": true}"#,
                "[" + (0..<500).map { "\"item \($0)\"" }.joined(separator: ",") + "]"
            ),
            (
                #"{"prefixItems": [true, {"type": "string"}], "items": {"type": "null"}}"#,
                #"[1, "a", null]"#
            ),
            (
                #"{"patternProperties": {"^a": {"type": "number"}}, "propertyNames": {"maxLength": 3}}"#,
                #"{"ab": 1}"#
            ),
            (
                #"{"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"minProperties": 2}}}"#,
                #"{"a": 1, "\u0062": 2}"#
            ),
            (
                ##"{"anyOf": [{"type": "array"}, {"$ref": "#/$defs/n"}], "oneOf": [{"minimum": 5}, true], "not": {"type": "null"}, "$defs": {"n": {"type": "number"}}}"##,
                "3"
            ),
            (
                #"{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": false}"#,
                #"{"a": 1, "b": 2}"#
            ),
            (
                #"{"allOf": [{"properties": {"a": true}}], "properties": {"b": {"type": "string"}}, "unevaluatedProperties": false}"#,
                #"{"a": 1, "b": "x"}"#
            ),
            (#"{"prefixItems": [true], "unevaluatedItems": {"type": "string"}}"#, #"[1, "x"]"#),
            (
                ##"{"$id": "test:tree", "$dynamicAnchor": "n", "properties": {"next": {"$dynamicRef": "#n"}}}"##,
                #"{"next": {"next": {}}}"#
            ),
            (#"{"format": "date-time"}"#, #""2025-03-31T14:05:00Z""#),
            (#"{"format": "uuid"}"#, #""2eb8aa08-aa98-11ea-b4aa-73b441d16380""#),
            (
                "{\"required\": [" + (0..<70).map { "\"key \($0)\"" }.joined(separator: ",") + "]}",
                "{" + (0..<70).map { "\"key \($0)\":1" }.joined(separator: ",") + "}"
            ),
        ])
    func `a keyword's verdict on valid input allocates nothing`(
        text: String, instance: String
    ) throws {
        var library = SchemaLibrary()
        try library.register(Array(text.utf8), at: "test:schema")
        let schema = try library.compile("test:schema")
        let root = try JSONDocument(parsing: instance).root
        #expect(blocks { schema.isValid(root) } == 0)
    }

    @Test func `the verdict on every valid example of the product allocates nothing`() throws {
        let examples = try ProductSchemas().validExamples()
        #expect(examples.count > 20)
        for example in examples {
            // A text with more scalars than it may have graphemes is copied to count these.
            let isCopied = example.name.hasSuffix("line/valid-label-of-families.json")
            let blocks = blocks { example.schema.isValid(example.root) }
            #expect(isCopied ? blocks > 0 : blocks == 0, "\(example.name)")
        }
    }

    @Test func `an allocation is counted`() throws {
        let root = try JSONDocument(parsing: #"{"a": "long enough to need a block of memory"}"#)
            .root
        #expect(blocks { root["a"]?.string?.isEmpty == false } > 0)
        #expect(blocks { JSON(root).bytes().count > 3 } > 0)
    }

    /// How many blocks the work asks for, once it has run twice; it has to come out true.
    private func blocks(_ work: () -> Bool) -> UInt {
        #expect(work() && work())
        let before = allocation_count()
        let isRight = work()
        let after = allocation_count()
        #expect(isRight)
        return after - before
    }
}

/// The schemas in Schemas/ and the examples beside them.
private struct ProductSchemas {
    /// A payload that its kind's schema allows.
    struct Example {
        var name: String
        var schema: JSONSchema
        var root: JSONValue
    }

    private static let base = "https://frontdesk.invalid/schemas/v1/"
    private let root: String
    private var library = SchemaLibrary()
    private var names: [String]

    init() throws {
        let parts = #filePath.split(separator: "/").dropLast(3)
        root = "/" + parts.joined(separator: "/") + "/Schemas/"
        names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
        for name in names where name.hasSuffix(".json") && !name.hasPrefix("examples/") {
            try library.register(read(name), at: Self.base + name)
        }
    }

    /// Every payload named `valid-…` whose folder is named after a schema and that it allows.
    func validExamples() throws -> [Example] {
        try names.compactMap { name in
            let steps = name.split(separator: "/").map { String($0) }
            guard steps.count == 4, steps[0] == "examples", steps[3].hasPrefix("valid-"),
                !steps[3].hasSuffix(".expected.json"),
                names.contains("\(steps[1])/\(steps[2]).json")
            else { return nil }
            let schema = try library.compile(Self.base + "\(steps[1])/\(steps[2]).json")
            let root = try JSONDocument(parsing: read(name)).root
            return schema.isValid(root) ? Example(name: name, schema: schema, root: root) : nil
        }
    }

    private func read(_ name: String) throws -> [UInt8] {
        Array(try #require(FileManager.default.contents(atPath: root + name)))
    }
}
