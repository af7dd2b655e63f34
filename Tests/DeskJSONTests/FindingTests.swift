import DeskJSON
import Testing

struct FindingTests {
    private static let schema = """
        {"type": "object", "required": ["kind"], "unevaluatedProperties": false,
         "properties": {
            "kind": {"enum": ["text", "list"]},
            "title": {"type": "string", "minLength": 2, "maxLength": 5},
            "count": {"type": "integer", "minimum": 1, "maximum": 10, "multipleOf": 2},
            "slots": {"type": "array", "maxItems": 2, "uniqueItems": true, "contains": {"const": 1}},
            "when": {"format": "date"}, "code": {"pattern": "^[A-Z]+$"},
            "either": {"anyOf": [{"type": "string"}, {"type": "array"}]},
            "strict": {"additionalProperties": false, "properties": {"identifier": true}},
            "part": {"oneOf": [{"$ref": "#/$defs/circle"}, {"$ref": "#/$defs/square"}]}
         },
         "$defs": {
            "circle": {"properties": {"shape": {"const": "circle"}, "radius": {"type": "number"}},
                       "required": ["shape", "radius"], "additionalProperties": false},
            "square": {"properties": {"shape": {"const": "square"}, "side": {"type": "number"}},
                       "required": ["shape", "side"], "additionalProperties": false}
         }}
        """

    /// Instance, keyword, pointer, what is underlined, found, allowed.
    @Test(
        arguments: [
            (#"{}"#, "required", "", "{}", #"no "kind""#, #"a member "kind""#),
            (
                #"{"kind":"tex"}"#, "enum", "/kind", #""tex""#, #"the string "tex""#,
                #"one of "text" or "list""#
            ),
            (
                #"{"kind":"text","title":7}"#, "type", "/title", "7", "the number 7", "a string"
            ),
            (
                #"{"kind":"text","title":"é"}"#, "minLength", "/title", "\"é\"", "1 character",
                "at least 2 characters"
            ),
            (
                #"{"kind":"text","title":"123456"}"#, "maxLength", "/title", #""123456""#,
                "6 characters", "at most 5 characters"
            ),
            (#"{"kind":"text","count":0}"#, "minimum", "/count", "0", "0", "at least 1"),
            (#"{"kind":"text","count":12}"#, "maximum", "/count", "12", "12", "at most 10"),
            (#"{"kind":"text","count":3}"#, "multipleOf", "/count", "3", "3", "a multiple of 2"),
            (
                #"{"kind":"text","slots":[1,2,3]}"#, "maxItems", "/slots", "[1,2,3]", "3 elements",
                "at most 2 elements"
            ),
            (
                #"{"kind":"text","slots":[1,1.0]}"#, "uniqueItems", "/slots/1", "1.0",
                "1.0 a second time (first in line 1)", "each element once"
            ),
            (
                #"{"kind":"text","slots":[]}"#, "contains", "/slots", "[]", "0 matching elements",
                "at least 1 matching element"
            ),
            (
                #"{"kind":"text","when":"2025-02-30"}"#, "format", "/when", #""2025-02-30""#,
                #""2025-02-30""#, "a date such as 2025-03-31"
            ),
            (
                #"{"kind":"text","code":"a"}"#, "pattern", "/code", #""a""#, #""a""#,
                "a text that matches ^[A-Z]+$"
            ),
            (
                #"{"kind":"text","either":4}"#, "anyOf", "/either", "4", "the number 4",
                "a string or an array"
            ),
            (
                #"{"kind":"text","strict":{"identifer":1}}"#, "additionalProperties",
                "/strict/identifer", #""identifer""#, #"an unknown member "identifer""#,
                #""identifier""#
            ),
            (
                #"{"kind":"text","part":{"shape":"square","side":"x"}}"#, "type", "/part/side",
                #""x""#, #"the string "x""#, "a number"
            ),
        ])
    func `a fault says where, what and what would be right`(
        text: String, keyword: String, pointer: String, marked: String, found: String,
        allowed: String
    ) throws {
        let findings = try judge(text)
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.keyword == keyword)
        #expect(finding.pointer.description == pointer)
        #expect(String(decoding: Array(text.utf8)[finding.range], as: UTF8.self) == marked)
        #expect(finding.found == found)
        #expect(finding.allowed == allowed)
        #expect(finding.keywordLocation.hasPrefix("test:schema#/"))
        #expect(finding.keywordLocation.hasSuffix("/" + keyword))
    }

    @Test func `a finding of a misspelled name or value says what was probably meant`() throws {
        let findings = try judge(#"{"kind":"texd","titel":"abc"}"#)
        #expect(findings.map { $0.suggestion } == ["text", "title"])
        #expect(findings.map { $0.isAboutKey } == [false, true])
        #expect(findings.map { $0.name } == [nil, "titel"])
    }

    @Test func `numeric limits come as numbers too`() throws {
        let finding = try #require(try judge(#"{"kind":"text","count":12}"#).first)
        #expect(finding.limit == 10 && finding.actual == 12)
    }

    @Test func `all faults come at once in the order of the text`() throws {
        let findings = try judge(#"{"kind":1,"title":"a","count":0.5,"zzz":1}"#)
        #expect(
            findings.map { $0.keyword } == ["enum", "minLength", "type", "unevaluatedProperties"])
    }

    @Test func `a wrong value does not make its neighbours unknown`() throws {
        let findings = try judge(#"{"kind":"text","part":{"shape":"circle","side":1}}"#)
        #expect(findings.map { $0.keyword } == ["required", "additionalProperties"])
    }

    private func judge(_ text: String) throws -> [SchemaFinding] {
        var library = SchemaLibrary()
        try library.register(Array(Self.schema.utf8), at: "test:schema")
        let schema = try library.compile("test:schema")
        let root = try JSONDocument(parsing: text).root
        let findings = schema.findings(root)
        #expect(schema.isValid(root) == findings.isEmpty)
        return findings
    }
}
