/// What a `Range` field asks of a representation (RFC 9110 14).
public enum ByteRange: Sendable, Equatable {
    /// No range, one of another unit, several, or a broken one: send everything.
    case whole
    /// One part: 206.
    case part(Range<Int>)
    /// A part beyond the end: 416.
    case unsatisfiable

    /// Reads the field for a representation of `size` bytes.
    public init(_ field: String?, size: Int) {
        self = .whole
        guard let field, field.utf8.starts(with: "bytes=".utf8) else { return }
        let text = Array(field.utf8.dropFirst(6))
        guard !text.contains(UInt8(ascii: ",")),
            let dash = text.firstIndex(of: UInt8(ascii: "-")),
            let first = ByteRange.number(text[..<dash]),
            let last = ByteRange.number(text[(dash + 1)...])
        else { return }
        switch (first, last) {
        case (nil, nil):
            return
        case (nil, let suffix?):
            self = suffix == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - suffix)..<size)
        case (let start?, let end):
            if let end, end < start { return }
            guard start < size else {
                self = .unsatisfiable
                return
            }
            self = .part(start..<min(size, (end ?? size) + 1))
        }
    }

    /// The number, `.some(nil)` for no digits at all, nil for anything else.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int?? {
        if digits.isEmpty { return .some(nil) }
        guard digits.count <= 18, digits.allSatisfy(ByteClass.isDigit) else { return nil }
        return .some(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
}
