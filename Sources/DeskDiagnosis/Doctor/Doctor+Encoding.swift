import DeskBytes

/// What a text's bytes are: UTF-8, or something else.
extension Doctor {
    /// Bytes that are no UTF-8, or UTF-8 with a mark before it.
    static func encoding(of text: [UInt8]) -> Layer? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            let inner = Array(text[3...])
            return Layer(
                defects: [
                    whole(
                        .byteOrderMark, 0..<3, of: text, found: "EF BB BF before the text",
                        repaired: inner,
                        "The text begins with a byte order mark: save it as UTF-8 without one.")
                ], text: inner)
        }
        if let wide = WideText(text) { return layer(wide, text) }
        guard let fault = UTF8Text.firstFault(in: text.span) else { return nil }
        return surrogates(text, fault) ?? windows(text, fault)
    }

    private static func layer(_ wide: WideText, _ text: [UInt8]) -> Layer {
        Layer(
            defects: [
                whole(
                    wide.unitBytes == 2 ? .utf16 : .utf32, 0..<text.count, of: [],
                    found: wide.name, repaired: wide.utf8,
                    wide.utf8 == nil
                        ? "The text is \(wide.name), and it is cut off or damaged."
                        : "The text is \(wide.name): save it as UTF-8.")
            ], text: wide.utf8)
    }

    /// Characters beyond U+FFFF, each written as two halves of three bytes.
    private static func surrogates(_ text: [UInt8], _ fault: Int) -> Layer? {
        var out: [UInt8] = []
        var place = 0
        while place < text.count {
            if let high = half(text, at: place, 0xD800), let low = half(text, at: place + 3, 0xDC00)
            {
                let value = 0x10000 + (high << 10 | low)
                out += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
                place += 6
            } else {
                out.append(text[place])
                place += 1
            }
        }
        guard UTF8Text.isValid(out) else { return nil }
        return Layer(
            defects: [
                whole(
                    .cesu8, fault..<fault + 6, of: text,
                    found: "a character beyond U+FFFF written as two halves",
                    repaired: Array(out[max(0, fault - 8)..<min(out.count, fault + 24)]),
                    "The text is CESU-8, which some databases and Java call UTF-8: encode each "
                        + "character by itself, in four bytes.")
            ], text: out)
    }

    /// The ten bits of half a surrogate pair in three bytes.
    private static func half(_ text: [UInt8], at place: Int, _ first: UInt32) -> UInt32? {
        guard place + 2 < text.count, text[place] == 0xED, text[place + 1] & 0xC0 == 0x80,
            text[place + 2] & 0xC0 == 0x80
        else { return nil }
        let value = 0xD000 | UInt32(text[place + 1] & 0x3F) << 6 | UInt32(text[place + 2] & 0x3F)
        return value & 0xFC00 == first ? value & 0x3FF : nil
    }

    /// Single bytes of Windows' western alphabet within a text that is ASCII or UTF-8 otherwise.
    private static func windows(_ text: [UInt8], _ fault: Int) -> Layer? {
        var out: [UInt8] = []
        var place = 0
        let span = text.span
        while place < text.count {
            let byte = text[place]
            let length = byte < 0x80 ? 1 : UTF8Text.sequenceLength(in: span, at: place)
            if length > 0 {
                // Bytes of a picture or of a program are no text in any alphabet.
                guard byte >= 0x20 || isSpace(byte) else { return nil }
                out += text[place..<place + length]
                place += length
            } else {
                guard let scalar = windows1252(byte) else { return nil }
                out += String(scalar).utf8
                place += 1
            }
        }
        guard container(out) != nil || punctuation(of: out)?.text != nil else { return nil }
        return Layer(
            defects: [
                whole(
                    .windows1252, fault..<fault + 1, of: text,
                    found: "the byte \(Hex.encode([text[fault]]).uppercased()), which is no UTF-8",
                    repaired: Array(out[max(0, fault - 24)..<min(out.count, fault + 24)]),
                    "The text is in the alphabet of Windows (1252): save it as UTF-8.")
            ], text: out)
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
        guard byte < 0xA0 else { return Unicode.Scalar(byte) }
        let high: [UInt32] = [
            0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
            0x2039, 0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
            0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
        ]
        let value = high[Int(byte) - 0x80]
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}
