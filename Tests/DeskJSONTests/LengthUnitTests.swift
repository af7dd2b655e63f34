import DeskJSON
import Testing

/// Which units `maxLength` counts in, where `x-unit` beside it says so.
struct LengthUnitTests {
    private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

    /// The unit, a text, how long it is, and how that is said.
    private static let rows: [(String?, String, Int, String)] = [
        (nil, family, 5, "5 characters"), ("utf-16", family, 8, "8 characters"),
        ("graphemes", family + "e\u{301}", 2, "2 characters"), ("bytes", family, 18, "18 bytes"),
        ("utf-16", "plain", 5, "5 characters"), ("bytes", "plain", 5, "5 bytes"),
        ("bytes", "\u{E9}\u{E9}", 4, "4 bytes"), ("graphemes", "a\u{308}b", 2, "2 characters"),
    ]

    /// The text as escapes of UTF-16 units.
    private static func escaped(_ text: String) -> String {
        var written = ""
        for unit in text.utf16 {
            let digits = String(unit, radix: 16)
            written += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }
        return written
    }

    @Test(arguments: rows.indices, [false, true])
    func `a text is as long as its unit says, written with escapes or without`(
        _ index: Int, isEscaped: Bool
    ) throws {
        let (unit, text, length, words) = Self.rows[index]
        let written = isEscaped ? Self.escaped(text) : text
        let value = try JSONDocument(parsing: Array("\"\(written)\"".utf8)).root
        for most in [length - 1, length] {
            let name = unit.map { #","x-unit":"\#($0)""# } ?? ""
            var library = SchemaLibrary()
            try library.register(Array(#"{"maxLength":\#(most)\#(name)}"#.utf8), at: "test:unit")
            let schema = try library.compile("test:unit")
            #expect(schema.isValid(value) == (most == length), "\(words) of \(most)")
            let found = schema.findings(value)
            #expect(found.map(\.found) == (most == length ? [] : [words]))
            #expect(found.allSatisfy { $0.actual == Double(length) && $0.keyword == "maxLength" })
        }
    }

    @Test func `x-unit goes for the longest length alone`() throws {
        var library = SchemaLibrary()
        try library.register(
            Array(#"{"minLength":5,"x-unit":"graphemes"}"#.utf8), at: "test:least")
        let schema = try library.compile("test:least")
        let value = try JSONDocument(parsing: Array("\"\(Self.family)\"".utf8)).root
        #expect(schema.isValid(value))
    }
}
