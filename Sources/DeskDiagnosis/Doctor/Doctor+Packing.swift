import DeskBytes

/// What lies around a text: compression, and encodings of the text as a whole.
extension Doctor {
    /// Bytes that were left packed, or packed into letters.
    static func packing(of text: [UInt8]) -> Layer? {
        if Gzip.isGzip(text) { return gzip(text) }
        // JSON holds none of what follows; only a text that is none is looked at.
        guard let first = text.first(where: { !isSpace($0) }), first != 0x7B, first != 0x5B else {
            return nil
        }
        return lettered(text) ?? percentEncoded(text)
    }

    private static func gzip(_ text: [UInt8]) -> Layer {
        let found = "gzip data of \(text.count) bytes"
        do throws(GzipError) {
            let inner = try Gzip.decompress(text, limitBytes: maximumBytes)
            return Layer(
                defects: [
                    whole(
                        .gzip, 0..<text.count, of: [], found: found, repaired: inner,
                        "The text is still packed: unpack it, or say Content-Encoding: gzip where "
                            + "the receiver unpacks.")
                ], text: inner)
        } catch {
            let why =
                switch error {
                case .tooLarge: "unpacks to more than \(maximumBytes) bytes"
                case .truncated: "ends before it is whole"
                case .damaged, .unavailable: "is damaged"
                }
            return Layer(
                defects: [
                    whole(
                        .gzip, 0..<text.count, of: [], found: found, repaired: nil,
                        "The text is still packed, and what is packed \(why).")
                ], text: nil)
        }
    }

    /// A text written in hex or base64 as a whole.
    private static func lettered(_ text: [UInt8]) -> Layer? {
        let letters = text.filter { !isSpace($0) }
        guard letters.count >= 16, letters.allSatisfy(isLetter) else { return nil }
        if let inner = Hex.decode(letters), isWorthwhile(inner) {
            return Layer(
                defects: [
                    whole(
                        .hexText, 0..<text.count, of: text, found: String(shown: text),
                        repaired: inner,
                        "The whole text is hex: post the bytes themselves.")
                ], text: inner)
        }
        let standard = letters.map { $0 == 0x2D ? 0x2B : $0 == 0x5F ? 0x2F : $0 }
        guard let inner = Base64.decode(standard, padding: .optional), isWorthwhile(inner) else {
            return nil
        }
        return Layer(
            defects: [
                whole(
                    .base64Text, 0..<text.count, of: text, found: String(shown: text),
                    repaired: inner, "The whole text is base64: post the bytes themselves.")
            ], text: inner)
    }

    /// A text as a form posts it: `payload=%7B%22type%22…`.
    private static func percentEncoded(_ text: [UInt8]) -> Layer? {
        guard text.contains(UInt8(ascii: "%")), !text.contains(0x7B) else { return nil }
        let trimmed = trimmed(text)
        for start in [0, (trimmed.firstIndex(of: UInt8(ascii: "=")) ?? -1) + 1] {
            let rest = trimmed[(trimmed.startIndex + start)...]
            guard rest.first == UInt8(ascii: "%"),
                let inner = PercentCoding.decode(rest, plusIsSpace: true), isPayload(inner)
            else { continue }
            return Layer(
                defects: [
                    whole(
                        .percentText, 0..<text.count, of: text, found: String(shown: text),
                        repaired: inner,
                        "The whole text is percent-encoded, as a form posts it: post the JSON "
                            + "itself as the body.")
                ], text: inner)
        }
        return nil
    }

    private static func isWorthwhile(_ inner: [UInt8]) -> Bool {
        Gzip.isGzip(inner) || isPayload(inner)
    }

    /// The text without white space around it, its indices from 0.
    static func trimmed(_ text: [UInt8]) -> [UInt8] {
        guard let first = text.firstIndex(where: { !isSpace($0) }),
            let last = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(text[first...last])
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "+/-_=".utf8.contains(byte)
    }
}
