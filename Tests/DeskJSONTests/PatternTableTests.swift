import TestSupport
import Testing

@testable import DeskJSON

/// The table of a pattern answers what the engine answers, on texts made by chance.
struct PatternTableTests {
    private static let patterns = [
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}$", "^urn:mbid:[A-Za-z0-9+/]+={0,2}$", "a|^b|c$",
        "^(?:ab)*$",
        "^https?://[^\\s]+$", "é+[^a]$", "^.{1,3}$", "", "^$", "$^", "(a|b)*?abb", "[^]", "[]",
        "\\W",
        "^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$", "x{0}y?", "^-?[0-9]{1,3}([.][0-9]{1,4})?$",
        "(^a|b$)c*", "a{2,}$", "^[\\u{1F600}-\\u{1F64F}]+$", "\\S\\s", "[\\uD83D]", "b^a", "a$b",
    ]
    private static let pieces = [
        "a", "b", "c", "x", "0", "9", "-", ".", "=", "/", ":", " ", "\n", "é", "\u{2028}", "😀",
        "\u{feff}",
        "abb", "urn:mbid:", "https://", "12345678-", "en_", "\u{7f}", "\u{800}", "\u{ffff}",
    ]

    @Test(arguments: patterns)
    func `a pattern's table agrees with the engine`(source: String) throws {
        let pattern = try Pattern(source)
        let table = try #require(pattern.table)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for round in 0..<400 {
            var text = ""
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text += Self.pieces.randomElement(using: &random) ?? ""
            }
            let bytes = Array(text.utf8)
            #expect(
                table.occurs(in: bytes) == pattern.occurs(in: bytes),
                "seed \(seed), round \(round): \(source) in \(text.debugDescription)")
        }
    }

    @Test(arguments: ["\\bword\\b", "\\p{Lu}", "[a-f]{500}", "(?:a{30}b{30}){20}"])
    func `what a table cannot do is left to the engine`(source: String) throws {
        #expect(try Pattern(source).table == nil)
    }

    @Test func `the judged string may have escapes`() throws {
        var library = SchemaLibrary()
        try library.register(Array(#"{"pattern": "^é\\n[a-c]{3}$"}"#.utf8), at: "test:p")
        let schema = try library.compile("test:p")
        for text in [#""é\nabc""#, #""\u00e9\u000aa\u0062c""#] {
            #expect(schema.isValid(try JSONDocument(parsing: text).root))
        }
        #expect(!schema.isValid(try JSONDocument(parsing: #""\u00e9\u000aa\u0064c""#).root))
    }
}
