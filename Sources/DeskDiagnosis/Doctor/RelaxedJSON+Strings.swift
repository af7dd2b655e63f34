import DeskBytes

extension RelaxedJSON {
    /// A mark that opens or closes a text.
    enum Mark {
        /// The one that JSON has.
        case straight
        /// An apostrophe, as Python and JavaScript write texts.
        case single
        /// One that an editor has put there: “ ” „ ‟ « » ″ ＂ ‘ ’ ‚ ‛.
        case typographic
    }

    func quotationMark(at place: Int) -> Mark? {
        switch byte(place) {
        case UInt8(ascii: "\""): .straight
        case UInt8(ascii: "'"): .single
        default: typographicLength(at: place) == nil ? nil : .typographic
        }
    }

    private func typographicLength(at place: Int) -> Int? {
        switch (byte(place), byte(place + 1), byte(place + 2)) {
        case (0xE2, 0x80, 0x98...0x9F), (0xE2, 0x80, 0xB3), (0xEF, 0xBC, 0x82): 3
        case (0xC2, 0xAB, _), (0xC2, 0xBB, _): 2
        default: nil
        }
    }

    private func length(of mark: Mark, at place: Int) -> Int {
        switch mark {
        case .straight, .single: 1
        case .typographic: typographicLength(at: place) ?? 1
        }
    }

    /// Reads a text up to the mark that closes it, and writes it between straight ones.
    mutating func readString(openedBy opening: Mark) -> Bool {
        noteMark(opening)
        place += length(of: opening, at: place)
        out.append(UInt8(ascii: "\""))
        while place < text.count {
            copyPlain()
            guard place < text.count else { return false }
            let byte = text[place]
            if let mark = quotationMark(at: place), closes(mark, opening) {
                if mark != opening || mark == .typographic { noteMark(mark) }
                place += length(of: mark, at: place)
                out.append(UInt8(ascii: "\""))
                return true
            }
            switch byte {
            case UInt8(ascii: "\""):
                out.append(UInt8(ascii: "\\"))
                copy()
            case UInt8(ascii: "\\"):
                guard readEscape() else { return false }
            case 0..<0x20:
                note(.rawControl, place..<place + 1)
                out += "\\u00".utf8 + Hex.encodeBytes([byte])
                place += 1
            default: copy()
            }
        }
        return false
    }

    /// Copies what is neither a mark nor an escape, nor begins a typographic mark.
    private mutating func copyPlain() {
        let start = place
        while place < text.count {
            let byte = text[place]
            let isPlain =
                byte >= 0x20 && byte != 0x22 && byte != 0x27 && byte != 0x5C && byte != 0xC2
                && byte != 0xE2 && byte != 0xEF
            guard isPlain else { break }
            place += 1
        }
        out += text[start..<place]
    }

    private mutating func noteMark(_ mark: Mark) {
        let range = place..<place + length(of: mark, at: place)
        switch mark {
        case .straight: break
        case .single: note(.singleQuotes, range)
        case .typographic: note(.smartQuotes, range)
        }
    }

    /// Whether a mark ends the text that another has opened.
    private func closes(_ mark: Mark, _ opening: Mark) -> Bool {
        switch opening {
        case .straight:
            if mark == .straight { return true }
            return mixesQuotes && mark == .typographic && isBeforeStructure(mark)
        case .single: return mark == .single && isBeforeStructure(mark)
        case .typographic:
            return mark != .single && isBeforeStructure(mark)
        }
    }

    /// Whether what follows a mark is what follows a text, so that the mark is no part of it.
    private func isBeforeStructure(_ mark: Mark) -> Bool {
        var next = place + length(of: mark, at: place)
        while Doctor.isSpace(byte(next)) { next += 1 }
        return next >= text.count || ",:}]".utf8.contains(text[next])
    }

    private mutating func readEscape() -> Bool {
        let letter = byte(place + 1)
        switch letter {
        case UInt8(ascii: "u"): return readUnicodeEscape()
        case _ where "\"\\/bfnrt".utf8.contains(letter):
            copy()
            copy()
        case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "$"):
            note(.badEscape, place..<place + 2)
            place += 1
            copy()
        case UInt8(ascii: "x"):
            guard ASCII.hexValue(byte(place + 2)) != nil, ASCII.hexValue(byte(place + 3)) != nil
            else { return false }
            note(.badEscape, place..<place + 4)
            out += "\\u00".utf8 + [byte(place + 2), byte(place + 3)]
            place += 4
        default: return false
        }
        return true
    }

    /// Copies `\uXXXX`; half a surrogate pair without the other becomes U+FFFD.
    private mutating func readUnicodeEscape() -> Bool {
        guard let unit = unicodeEscape(at: place) else { return false }
        if unit & 0xFC00 == 0xD800, let low = unicodeEscape(at: place + 6),
            low & 0xFC00 == 0xDC00
        {
            out += text[place..<place + 12]
            place += 12
        } else if unit & 0xF800 == 0xD800 {
            note(.loneSurrogate, place..<place + 6)
            out += "\\ufffd".utf8
            place += 6
        } else {
            out += text[place..<place + 6]
            place += 6
        }
        return true
    }

    private func unicodeEscape(at place: Int) -> UInt32? {
        guard byte(place) == UInt8(ascii: "\\"), byte(place + 1) == UInt8(ascii: "u"),
            place + 6 <= text.count
        else { return nil }
        var unit: UInt32 = 0
        for byte in text[place + 2..<place + 6] {
            guard let digit = ASCII.hexValue(byte) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
