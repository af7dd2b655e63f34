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

    /// The number that instructions have for it.
    var number: Int32 {
        switch self {
        case .utf16: 0
        case .graphemes: 1
        case .bytes: 2
        }
    }

    /// The unit of an instruction; nil for scalars.
    ///
    /// It looks at no list of cases, which would be made each time.
    init?(number: Int32) {
        switch number {
        case 0: self = .utf16
        case 1: self = .graphemes
        case 2: self = .bytes
        default: return nil
        }
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
