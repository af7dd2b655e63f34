import DeskBytes

/// Percent-encoding after RFC 3986, section 2.1.
enum PercentCoding {
    /// The bytes with every `%XX` decoded; nil when a percent sign stands alone.
    static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = bytes.next().flatMap({ ASCII.hexValue($0) }),
                    let low = bytes.next().flatMap({ ASCII.hexValue($0) })
                else { return nil }
                out.append(high << 4 | low)
            } else {
                out.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return out
    }

    /// The text with one layer taken off, when it was encoded twice; nil when it was not.
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

    /// What no encoder encodes, RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~".utf8.contains(byte)
    }
}
