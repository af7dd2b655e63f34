import DeskBytes

extension PercentCoding {
    /// The text with one layer removed, when it was encoded twice; nil when it was not.
    ///
    /// Twice is sure only when every percent sign is itself encoded, and what is encoded below it
    /// is what encoders encode: a text with a plain `%20` beside a `%2520` carries another address
    /// as a parameter.
    static func withoutSecondLayer(_ text: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var inner: [UInt8] = []
        var place = 0
        while place < text.count {
            let byte = text[place]
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                place += 1
                continue
            }
            guard place + 4 < text.count, text[place + 1] == UInt8(ascii: "2"),
                text[place + 2] == UInt8(ascii: "5"),
                let high = ASCII.hexValue(text[place + 3]),
                let low = ASCII.hexValue(text[place + 4])
            else { return nil }
            let encoded = high << 4 | low
            guard !isUnreserved(encoded) else { return nil }
            inner.append(encoded)
            out += [byte, text[place + 3], text[place + 4]]
            place += 5
        }
        guard !inner.isEmpty, isWellFormed(out) else { return nil }
        return out
    }

    /// Whether what is encoded is UTF-8, as encoders make it.
    private static func isWellFormed(_ text: [UInt8]) -> Bool {
        decode(text).map { UTF8Text.isValid($0) } ?? false
    }
}
