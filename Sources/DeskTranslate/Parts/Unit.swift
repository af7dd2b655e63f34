/// How a vendor counts the length of a text; docs/translate.md cites where that is published.
enum Unit: Sendable {
    /// Unicode scalars, as JSON Schema counts, and so the schemas of our own shape.
    case scalars
    /// UTF-16 units: LINE's where it states no other, and the count for vendors that publish none. No count of
    /// characters is higher.
    case utf16
    /// What people see as one character (UAX 29): LINE's for labels, what a tap shows, and words of templates.
    case graphemes
    /// Bytes of UTF-8: Telegram's for what a button brings back.
    case bytes

    /// How long a text is.
    func count(_ text: some StringProtocol) -> Int {
        switch self {
        case .scalars: text.unicodeScalars.count
        case .utf16: text.utf16.count
        case .graphemes: text.count
        case .bytes: text.utf8.count
        }
    }

    /// What is counted, in words.
    var words: String { self == .bytes ? "bytes" : "characters" }
}

extension Shape {
    /// How lengths are counted where a vendor states nothing else for a member.
    var unit: Unit { self == .messagesForBusiness ? .scalars : .utf16 }
}
