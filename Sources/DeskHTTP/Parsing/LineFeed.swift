/// Finds the ends of lines, eight bytes a step: every byte of every head passes by here twice.
enum LineFeed {
    /// The first line feed in a range of the bytes; nil when there is none.
    static func first(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        precondition(range.upperBound <= bytes.count, "\(range) is past \(bytes.count) bytes")
        // Safe: UInt8 has no bytes of padding to be seen.
        let raw = unsafe bytes.bytes
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            // Safe: the eight bytes are inside the range, which is inside the span.
            let word = unsafe UInt64(
                littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A byte of the difference is zero where a line feed is; the lowest mark is never a wrong one.
            let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let marks =
                (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < range.upperBound {
            if bytes[index] == 0x0A { return index }
            index += 1
        }
        return nil
    }
}
