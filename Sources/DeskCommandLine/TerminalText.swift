/// Text of others as a terminal may have it.
package enum TerminalText {
    /// The text with what would command the terminal, or turn its letters around, as `\uXXXX`, so that JSON stays JSON.
    ///
    /// Line breaks and tabs stay.
    package static func harmless(_ text: String) -> String {
        guard text.utf8.contains(where: Self.mayBegin) else { return text }
        var shown = ""
        shown.reserveCapacity(text.utf8.count)
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            // A carriage return alone has what follows written above what is there.
            if isAfterReturn { shown += scalar == "\n" ? "\r" : "\\u000d" }
            isAfterReturn = scalar == "\r"
            if isAfterReturn { continue }
            if isHarmless(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return isAfterReturn ? shown + "\\u000d" : shown
    }

    /// Whether a byte may begin what `harmless` replaces.
    private static func mayBegin(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A && byte != 0x09) || byte == 0x7F || byte == 0xC2
            || byte == 0xE2
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0...0x1F, 0x7F...0x9F: false
        // Embeddings, overrides and isolates.
        case 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
