/// One `name: value` line, split and validated (RFC 9112 5).
struct FieldLine {
    let name: Range<Int>
    let value: Range<Int>

    /// Splits a line that ends before its CR.
    ///
    /// - Throws: for a name that is no token (so also for space before the colon and for folding) and
    ///   for control bytes in the value.
    init(_ line: Range<Int>, in text: Span<UInt8>) throws(RequestProblem) {
        var index = line.lowerBound
        while index < line.upperBound, ByteClass.isToken(text[index]) { index += 1 }
        guard index < line.upperBound, text[index] == UInt8(ascii: ":"), index > line.lowerBound
        else { throw .badHeader }
        name = line.lowerBound..<index
        index += 1
        while index < line.upperBound, FieldLine.isBlank(text[index]) { index += 1 }
        let start = index
        while index < line.upperBound {
            guard ByteClass.isFieldText(text[index]) else { throw .badHeader }
            index += 1
        }
        while index > start, FieldLine.isBlank(text[index - 1]) { index -= 1 }
        value = start..<index
    }

    /// Whether the bytes are exactly these.
    static func equals(_ text: Span<UInt8>, _ range: Range<Int>, _ wanted: StaticString) -> Bool {
        matches(text, range, wanted) { $0 }
    }

    /// Whether the bytes are these, given in lower case, in any mixture of cases.
    static func equalsAnyCase(
        _ text: Span<UInt8>, _ range: Range<Int>, _ wanted: StaticString
    ) -> Bool {
        matches(text, range, wanted, ByteClass.lowercased)
    }

    private static func matches(
        _ text: Span<UInt8>, _ range: Range<Int>, _ wanted: StaticString,
        _ fold: (UInt8) -> UInt8
    ) -> Bool {
        guard range.count == wanted.utf8CodeUnitCount else { return false }
        // Safe: a StaticString's bytes live as long as the process, and the count was compared.
        let bytes = unsafe UnsafeBufferPointer(
            start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)
        for offset in 0..<range.count
        where unsafe fold(text[range.lowerBound + offset]) != bytes[offset] { return false }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
