/// What `x-unit` beside `maxLength` says is counted in place of Unicode scalars.
///
/// JSON Schema has no other unit, and vendors whose messages are described have. It goes for `maxLength` alone.
enum LengthUnit: String, CaseIterable {
    /// UTF-16 units.
    case utf16 = "utf-16"
    /// What people see as one character (UAX 29).
    case graphemes
    /// Bytes of UTF-8.
    case bytes

    /// Its place among all cases.
    var number: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }

    /// The unit of an instruction; nil for scalars.
    init?(number: Int32) {
        guard Self.allCases.indices.contains(Int(number)) else { return nil }
        self = Self.allCases[Int(number)]
    }

    /// How long a text is.
    func count(_ text: String) -> Int {
        switch self {
        case .utf16: text.utf16.count
        case .graphemes: text.count
        case .bytes: text.utf8.count
        }
    }

    /// What is counted, in words.
    var noun: String { self == .bytes ? "byte" : "character" }
}
