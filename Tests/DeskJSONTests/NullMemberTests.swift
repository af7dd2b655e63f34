import DeskJSON
import Testing

/// Members that are null, where null means that they were left out.
struct NullMemberTests {
    private static let schema = #"""
        {"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"integer"},
        "c":{"enum":["x"]},"d":{"type":"array","items":{"type":"string"}}},
        "patternProperties":{"^p":{"type":"string"}},"additionalProperties":false,
        "dependentRequired":{"b":["c"]},"anyOf":[{"required":["c"]},{"required":["d"]}]}
        """#

    private static func compiled(_ nulls: SchemaNulls) throws -> JSONSchema {
        var library = SchemaLibrary()
        try library.register(Array(schema.utf8), at: "https://a.example/s")
        return try library.compile("https://a.example/s", nulls: nulls)
    }

    @Test(arguments: [
        (#"{"a":"1","c":"x"}"#, true, true), (#"{"a":"1","c":"x","b":null}"#, false, true),
        (#"{"a":"1","c":"x","d":null,"zzz":null,"p1":null}"#, false, true),
        (#"{"a":null,"c":"x"}"#, false, false), (#"{"a":"1","c":null}"#, false, false),
        (#"{"a":"1","d":[],"b":1}"#, false, false),
        (#"{"a":"1","d":[],"b":1,"c":null}"#, false, false),
        (#"{"a":"1","d":[null]}"#, false, false), ("null", false, false),
    ])
    func `a member that is null counts as absent where the schema is compiled so`(
        text: String, asValue: Bool, asAbsent: Bool
    ) throws {
        let root = try JSONDocument(parsing: text).root
        for (nulls, isValid) in [(SchemaNulls.values, asValue), (.absent, asAbsent)] {
            let schema = try Self.compiled(nulls)
            #expect(schema.isValid(root) == isValid)
            #expect(schema.isValidStepByStep(root) == isValid)
            #expect(schema.findings(root).isEmpty == isValid)
        }
    }

    @Test func `a required member that is null is missing`() throws {
        let root = try JSONDocument(parsing: #"{"a":null,"c":"x"}"#).root
        let findings = try Self.compiled(.absent).findings(root)
        #expect(findings.map(\.keyword) == ["required"])
        #expect(findings.first?.name == "a")
    }

    @Test func `of one keyword, place and name a hundred are reported, and none hides another`()
        throws
    {
        let members = (0..<600).map { #"{"a":"1","c":"x","zzz":\#($0)}"# }
        var library = SchemaLibrary()
        try library.register(Array(Self.schema.utf8), at: "https://a.example/s")
        try library.register(
            Array(#"{"items":{"$ref":"https://a.example/s"}}"#.utf8), at: "https://a.example/l")
        let schema = try library.compile("https://a.example/l")
        let text = "[\(members.joined(separator: ",")),{\"a\":7,\"c\":\"x\"}]"
        let findings = schema.findings(try JSONDocument(parsing: text).root)
        #expect(findings.count == JSONSchema.mostFindingsOfAKind + 1)
        #expect(findings.last?.keyword == "type")
    }
}
