import DeskBytes

/// Finds e-mail addresses, as people write them: without quotation marks and comments.
///
/// Letters of scripts without spaces between words stand right beside addresses in them. They are part of one only
/// where it would be none without them, as `info@日本語.jp` would. Signs that are not seen stand anywhere in one, as
/// pages put them where a line may break.
enum EmailScan {
    /// The places of all addresses, in order.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for at in bytes.indices {
            guard let length = atSign(in: bytes, at: at) else { continue }
            let least = found.last?.upperBound ?? 0
            guard let start = localStart(in: bytes, before: at, from: least),
                let end = domainEnd(in: bytes, from: at + length)
            else { continue }
            found.append(start..<end)
        }
        return found
    }

    /// How many bytes an at sign has, of ASCII, small or full width; nil where none stands.
    private static func atSign(in bytes: [UInt8], at place: Int) -> Int? {
        if bytes[place] == UInt8(ascii: "@") { return 1 }
        // Other bytes are looked at no further: a text has many.
        guard bytes[place] == 0xEF else { return nil }
        return [0xFF20, 0xFE6B].contains(wideScalar(bytes[place...])) ? 3 : nil
    }

    // MARK: Before the at sign

    /// Where the name begins; nil where none stands.
    private static func localStart(in bytes: [UInt8], before at: Int, from least: Int) -> Int? {
        for sizes in [[1, 2], [3]] {
            var start = at
            while start > least {
                let size = localLength(in: bytes, before: start)
                guard
                    sizes.contains(size)
                        || size == 3
                            && (isFullLocal(bytes[(start - 3)...])
                                || isHidden(bytes[(start - 3)...])),
                    start - size >= least
                else { break }
                start -= size
            }
            // A dot before belongs to the sentence, and what is not seen to neither.
            while start < at {
                if bytes[start] == UInt8(ascii: ".") {
                    start += 1
                } else if let length = hiddenLength(in: bytes, at: start) {
                    start += length
                } else {
                    break
                }
            }
            if start < at { return start }
        }
        return nil
    }

    /// How many bytes the character before a place has, if it may stand before the at sign; 0 for any other.
    private static func localLength(in bytes: [UInt8], before place: Int) -> Int {
        if isLocal(bytes[place - 1]) { return 1 }
        if place >= 2,
            isLetter(in: bytes, at: place - 2) || isSoftHyphen(in: bytes, at: place - 2)
        {
            return 2
        }
        guard place >= 3 else { return 0 }
        let before = bytes[(place - 3)...]
        return isWide(before) || isFullLocal(before) || isHidden(before) ? 3 : 0
    }

    /// Whether a letter, digit, hyphen, dot or low line of full width begins a text.
    private static func isFullLocal(_ bytes: ArraySlice<UInt8>) -> Bool {
        isFullWidth(bytes) || [0xFF0D, 0xFF0E, 0xFF3F].contains(wideScalar(bytes))
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    // MARK: Behind the at sign

    /// What may stand in a domain beside letters, digits and dots.
    private enum Reach {
        /// Nothing else.
        case plain
        /// Letters of scripts without spaces between words.
        case wide
        /// The full stop of East Asia for a dot, which is typed where the keyboard has no other.
        case stops
    }

    /// Where a domain with at least one dot ends; nil where none begins.
    private static func domainEnd(in bytes: [UInt8], from start: Int) -> Int? {
        for reach in [Reach.plain, .wide, .stops] {
            if let end = domainEnd(in: bytes, from: start, reach) { return end }
        }
        return nil
    }

    private static func domainEnd(
        in bytes: [UInt8], from start: Int, _ reach: Reach
    ) -> Int? {
        // What the label under way has, how many stand before it, and where the last one ends that may end a domain.
        var (count, hasLetter, before) = (0, false, 0)
        var end: Int?
        var place = start
        // Whether the label under way has letters that stand beside others alone, or none of them.
        var labelIsOther = false
        while place < bytes.count {
            if let length = hiddenLength(in: bytes, at: place) {
                place += length
                continue
            }
            if let length = dot(in: bytes, at: place, reach) {
                // Two dots end a sentence.
                guard count > 0 else { break }
                (count, hasLetter, before) = (0, false, before + 1)
                place += length
                continue
            }
            let length = domainLength(in: bytes, at: place)
            guard length > 0 else { break }
            let isWideHere = length == 3 && !isFullWidth(bytes[place...])
            if isWideHere, reach != .wide { break }
            let isOther = isWideHere || isRightToLeft(bytes[place])
            if count == 0 { labelIsOther = isOther }
            // Words go on behind the last label: `a@例え.jpです`.
            if isOther, !labelIsOther { break }
            let isDigit = NumberScan.digit(in: bytes, at: place) != nil
            place += length
            // What ends a sentence is no part of it.
            guard !"-_".utf8.contains(bytes[place - 1]) else { continue }
            count += 1
            hasLetter = hasLetter || !isDigit
            // No domain ends with a number, as a price at an at sign does.
            if before > 0, count >= 2, hasLetter { end = place }
        }
        return end
    }

    /// How many bytes a dot has, of ASCII or full width; nil where none stands.
    private static func dot(in bytes: [UInt8], at place: Int, _ reach: Reach) -> Int? {
        if bytes[place] == UInt8(ascii: ".") { return 1 }
        // Other bytes are looked at no further: a text has many.
        guard bytes[place] & 0xF0 == 0xE0, let scalar = wideScalar(bytes[place...]) else {
            return nil
        }
        let isStop = reach == .stops && [0x3002, 0xFF61].contains(scalar)
        return scalar == 0xFF0E || isStop ? 3 : nil
    }

    /// How many bytes a character has that may stand in a label; 0 for any other.
    private static func domainLength(in bytes: [UInt8], at place: Int) -> Int {
        if ASCII.isAlphanumeric(bytes[place]) || "-_".utf8.contains(bytes[place]) { return 1 }
        if isLetter(in: bytes, at: place) { return 2 }
        return isWide(bytes[place...]) ? 3 : 0
    }

    // MARK: Letters

    /// Whether a letter of two bytes stands at a place: Latin with marks, Greek, Cyrillic, Armenian, Hebrew or Arabic, which
    /// stand apart from the words around them.
    private static func isLetter(in bytes: [UInt8], at place: Int) -> Bool {
        guard place + 1 < bytes.count, (0xC3...0xDB).contains(bytes[place]),
            bytes[place + 1] & 0xC0 == 0x80
        else { return false }
        return !signs.contains(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]))
    }

    /// Two bytes among the letters that are none: the signs of multiplication and division, Armenian marks and full stop,
    /// the hyphen of Hebrew, and comma, semicolon, question mark, per cent sign, separators, star and full stop of Arabic.
    private static let signs: Set<UInt16> = [
        0xC397, 0xC3B7, 0xD59A, 0xD59B, 0xD59C, 0xD59D, 0xD59E, 0xD59F, 0xD689, 0xD6BE, 0xD88C,
        0xD89B, 0xD89F, 0xD9AA, 0xD9AB, 0xD9AC, 0xD9AD, 0xDB94,
    ]

    /// Whether a byte begins a letter of Hebrew or Arabic.
    private static func isRightToLeft(_ byte: UInt8) -> Bool { (0xD6...0xDB).contains(byte) }

    private static func isSoftHyphen(in bytes: [UInt8], at place: Int) -> Bool {
        place + 1 < bytes.count && bytes[place] == 0xC2 && bytes[place + 1] == 0xAD
    }

    /// How many bytes a sign has that is not seen; nil where none stands.
    private static func hiddenLength(in bytes: [UInt8], at place: Int) -> Int? {
        if isSoftHyphen(in: bytes, at: place) { return 2 }
        guard bytes[place] == 0xE2 || bytes[place] == 0xEF else { return nil }
        return isHidden(bytes[place...]) ? 3 : nil
    }

    /// Whether a sign of three bytes that is not seen begins a text: joiners, directions, a space without width.
    private static func isHidden(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let scalar = wideScalar(bytes) else { return false }
        switch scalar {
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF:
            return true
        default: return false
        }
    }

    /// Whether a letter of three bytes begins a text: of the scripts of India and East Asia, or of full width.
    private static func isWide(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let scalar = wideScalar(bytes) else { return false }
        switch scalar {
        // Devanagari to Thai, kana without its middle dot, Han, Hangul.
        case 0x0900...0x0E7F, 0x3041...0x30FA, 0x30FC...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return isFullWidth(bytes)
        }
    }

    /// Whether a letter or digit of full width begins a text.
    private static func isFullWidth(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let scalar = wideScalar(bytes) else { return false }
        return (0xFF10...0xFF19).contains(scalar) || (0xFF21...0xFF3A).contains(scalar)
            || (0xFF41...0xFF5A).contains(scalar)
    }

    /// The scalar of three bytes at the beginning of a text; nil for any other.
    private static func wideScalar(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let three = Array(bytes.prefix(3))
        guard three.count == 3, three[0] & 0xF0 == 0xE0, three[1] & 0xC0 == 0x80,
            three[2] & 0xC0 == 0x80
        else { return nil }
        return UInt32(three[0] & 0x0F) << 12 | UInt32(three[1] & 0x3F) << 6
            | UInt32(three[2] & 0x3F)
    }
}
