extension RelaxedJSON {
    /// Reads over white space, and over what is none but was meant as such; false when a comment
    /// does not end.
    mutating func readBlank() -> Bool {
        while place < text.count {
            let byte = text[place]
            if Doctor.isSpace(byte) {
                copy()
            } else if byte == UInt8(ascii: "/") {
                guard readComment() else { return false }
            } else if byte == UInt8(ascii: "\\"), "nrt".utf8.contains(self.byte(place + 1)) {
                note(.escapedSpace, place..<place + 2)
                out.append(UInt8(ascii: " "))
                place += 2
            } else if let length = Self.invisibleLength(text, at: place) {
                note(.invisibleCharacter, place..<place + length)
                out.append(UInt8(ascii: " "))
                place += length
            } else {
                return true
            }
        }
        return true
    }

    private mutating func readComment() -> Bool {
        let start = place
        if byte(place + 1) == UInt8(ascii: "/") {
            while place < text.count, text[place] != 0x0A { place += 1 }
        } else if byte(place + 1) == UInt8(ascii: "*") {
            place += 2
            while byte(place) != UInt8(ascii: "*") || byte(place + 1) != UInt8(ascii: "/") {
                guard place < text.count else { return false }
                place += 1
            }
            place += 2
        } else {
            return false
        }
        note(.comment, start..<place)
        return true
    }

    /// The bytes of a character that shows nothing and is no white space of JSON: U+00A0, U+200B to
    /// U+200F, U+2028, U+2029, U+202F, U+2060, U+3000, U+FEFF; nil for any other.
    static func invisibleLength(_ text: [UInt8], at place: Int) -> Int? {
        guard place + 1 < text.count, text[place] >= 0xC2 else { return nil }
        if text[place] == 0xC2 { return text[place + 1] == 0xA0 ? 2 : nil }
        guard place + 2 < text.count else { return nil }
        switch (text[place], text[place + 1], text[place + 2]) {
        case (0xE2, 0x80, 0x8B...0x8F), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0xA0), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
            return 3
        default: return nil
        }
    }
}
