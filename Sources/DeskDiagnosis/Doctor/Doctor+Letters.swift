import DeskBytes

/// Addresses, and letters that a field does not allow.
extension Doctor {
    /// A web address, or the query of an app.
    static func address(_ text: [UInt8], isQuery: Bool) -> ValueFinding? {
        let found = String(shown: text)
        if let once = PercentCoding.withoutSecondLayer(text) {
            let plain = isQuery ? once : wholly(once) ?? once
            return ValueFinding(
                .doublePercent, found: found, text: plain,
                "The address is percent-encoded twice: encode it once, or let one library do it.")
        }
        if !isQuery, let plain = wholly(text) {
            return ValueFinding(
                .percentURL, found: found, text: plain,
                "The whole address is percent-encoded, as if it were part of another: write it as "
                    + "it is.")
        }
        guard let encoded = encodedBeyondASCII(text) else { return nil }
        return ValueFinding(
            .outsidePlane, found: found, text: encoded,
            "An address is ASCII: percent-encode every other character.")
    }

    /// An address whose colon and slashes are encoded, with one layer removed.
    private static func wholly(_ text: [UInt8]) -> [UInt8]? {
        let isWhole = ["https%3A%2F%2F", "http%3A%2F%2F"].contains { start in
            ASCII.lowercased(text.prefix(start.utf8.count))
                .elementsEqual(ASCII.lowercased(start.utf8))
        }
        guard isWhole, let plain = PercentCoding.decode(text), UTF8Text.isValid(plain),
            plain.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return plain
    }

    /// The address with what is seen of it in ASCII, and what is not left out; nil when it is ASCII.
    private static func encodedBeyondASCII(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(where: { $0 >= 0x80 }) else { return nil }
        var out: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                out.append(UInt8(scalar.value))
            } else if !isInvisible(scalar) {
                for byte in String(scalar).utf8 { PercentCoding.append(byte, to: &out) }
            }
        }
        return out
    }

    /// A field that is ASCII by its form, with letters that look like it or cannot be seen.
    static func foreignLetters(_ text: [UInt8]) -> ValueFinding? {
        guard text.contains(where: { $0 >= 0x80 }) else { return nil }
        var out: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if let byte = plainForm(scalar) {
                out.append(byte)
            } else if !isInvisible(scalar) {
                // No form of ASCII: the field is wrong in another way.
                return nil
            }
        }
        return ValueFinding(
            .outsidePlane, found: described(text), text: out,
            "This field is ASCII; its characters came from a keyboard or an editor that writes "
                + "others which look the same, or cannot be seen.")
    }

    /// A text of a card with characters beyond U+FFFF; only pointed out, for devices show emoji.
    static func beyondThePlane(_ text: [UInt8]) -> ValueFinding? {
        guard text.contains(where: { $0 >= 0xF0 }) else { return nil }
        var rest = String.UnicodeScalarView()
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars
        where scalar.value <= 0xFFFF && scalar != "\u{200D}" && scalar != "\u{FE0F}" {
            rest.append(scalar)
        }
        return ValueFinding(
            .outsidePlane, found: described(text), text: trimmed(Array(String(rest).utf8)),
            isNote: true,
            "The protocol documents this field for characters up to U+FFFF; devices of today show "
                + "others, emoji among them, too.")
    }

    /// The first character that is no ASCII, by its number, and the text.
    private static func described(_ text: [UInt8]) -> String {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        let first = scalars.first { $0.value > 0xFFFF } ?? scalars.first { !$0.isASCII }
        let number = String(first?.value ?? 0, radix: 16, uppercase: true)
        return "U+\(String(repeating: "0", count: max(0, 4 - number.utf8.count)))\(number) in "
            + String(shown: text)
    }

    /// The ASCII character that one looks like.
    private static func plainForm(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0..<0x80: UInt8(scalar.value)
        // Full width, as Japanese keyboards write it.
        case 0xFF01...0xFF5E: UInt8(scalar.value - 0xFF01 + 0x21)
        case 0x2010...0x2015, 0x2212, 0xFE63: UInt8(ascii: "-")
        case 0x2018...0x201B: UInt8(ascii: "'")
        case 0x201C...0x201F: UInt8(ascii: "\"")
        case 0x2044, 0x2215: UInt8(ascii: "/")
        default: nil
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0, 0xAD, 0x200B...0x200F, 0x2028...0x202F, 0x2060...0x2064, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
