/// Checks whether bytes are UTF-8, after table 3-7 of the Unicode standard.
public enum UTF8Text {
    /// Whether all bytes are well-formed UTF-8: no overlong form, no surrogate, nothing above
    /// U+10FFFF.
    public static func isValid(_ bytes: [UInt8]) -> Bool {
        firstFault(in: bytes.span) == nil
    }

    /// Whether all bytes are well-formed UTF-8.
    public static func isValid(_ bytes: Span<UInt8>) -> Bool {
        firstFault(in: bytes) == nil
    }

    /// The offset where the first ill-formed sequence starts, or nil when there is none.
    public static func firstFault(in bytes: Span<UInt8>) -> Int? {
        let end = bytes.count
        var index = 0
        while index < end {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            let length = sequenceLength(in: bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// The text of well-formed UTF-8, or nil.
    public static func text(_ bytes: [UInt8]) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The length of the well-formed sequence of two to four bytes at the index, or 0.
    @inlinable public static func sequenceLength(in bytes: Span<UInt8>, at index: Int) -> Int {
        let left = bytes.count - index
        let lead = bytes[index]
        switch lead {
        case 0xC2...0xDF:
            guard left >= 2, bytes[index + 1] & 0xC0 == 0x80 else { return 0 }
            return 2
        case 0xE0...0xEF:
            guard left >= 3, bytes[index + 2] & 0xC0 == 0x80 else { return 0 }
            let second = bytes[index + 1]
            let low: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
            let high: UInt8 = lead == 0xED ? 0x9F : 0xBF
            return second >= low && second <= high ? 3 : 0
        case 0xF0...0xF4:
            guard left >= 4, bytes[index + 2] & 0xC0 == 0x80, bytes[index + 3] & 0xC0 == 0x80
            else { return 0 }
            let second = bytes[index + 1]
            let low: UInt8 = lead == 0xF0 ? 0x90 : 0x80
            let high: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
            return second >= low && second <= high ? 4 : 0
        default: return 0
        }
    }
}

extension String {
    /// The text cut after a number of Unicode scalars.
    package func prefixOfScalars(_ limit: Int) -> String {
        guard utf8.count > limit,
            let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex)
        else { return self }
        return String(self[..<end])
    }
}
