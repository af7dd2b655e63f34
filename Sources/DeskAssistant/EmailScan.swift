import DeskBytes

/// Finds e-mail addresses, as people write them: without quotation marks and comments.
///
/// Letters of scripts without spaces between words stand right beside addresses in them. They are part of one only
/// where it would be none without them, as `info@日本語.jp` would.
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
                guard sizes.contains(size) || size == 3 && isFullLocal(bytes[(start - 3)...]),
                    start - size >= least
                else { break }
                start -= size
            }
            // A dot before belongs to the sentence.
            while start < at, bytes[start] == UInt8(ascii: ".") { start += 1 }
            if start < at { return start }
        }
        return nil
    }

    /// How many bytes the character before a place has, if it may stand before the at sign; 0 for any other.
    private static func localLength(in bytes: [UInt8], before place: Int) -> Int {
        if isLocal(bytes[place - 1]) { return 1 }
        if place >= 2, isLetter(in: bytes, at: place - 2) { return 2 }
        guard place >= 3 else { return 0 }
        let before = bytes[(place - 3)...]
        return isWide(before) || isFullLocal(before) ? 3 : 0
    }

    /// Whether a letter, digit, hyphen, dot or low line of full width begins a text.
    private static func isFullLocal(_ bytes: ArraySlice<UInt8>) -> Bool {
        isFullWidth(bytes) || [0xFF0D, 0xFF0E, 0xFF3F].contains(wideScalar(bytes))
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    // MARK: Behind the at sign

    /// Where a domain with at least one dot ends; nil where none begins.
    private static func domainEnd(in bytes: [UInt8], from start: Int) -> Int? {
        domainEnd(in: bytes, from: start, isWide: false)
            ?? domainEnd(in: bytes, from: start, isWide: true)
    }

    private static func domainEnd(in bytes: [UInt8], from start: Int, isWide: Bool) -> Int? {
        // How many characters each label has, and where the last one with some ends.
        var counts = [0]
        var end = start
        var place = start
        // Whether the label under way has letters of three bytes alone, or none of them.
        var labelIsWide = false
        while place < bytes.count {
            if let length = dot(in: bytes, at: place) {
                // Two dots end a sentence.
                guard counts[counts.count - 1] > 0 else { break }
                counts.append(0)
                place += length
                continue
            }
            let length = domainLength(in: bytes, at: place)
            guard length > 0 else { break }
            let isWideHere = length == 3 && !isFullWidth(bytes[place...])
            if isWideHere, !isWide { break }
            if counts[counts.count - 1] == 0 { labelIsWide = isWideHere }
            // Words go on behind the last label: `a@例え.jpです`.
            if isWideHere, !labelIsWide { break }
            place += length
            // What ends a sentence is no part of it.
            guard bytes[place - 1] != UInt8(ascii: "-") else { continue }
            counts[counts.count - 1] += 1
            end = place
        }
        if counts.last == 0 { counts.removeLast() }
        guard counts.count >= 2, counts[counts.count - 1] >= 2 else { return nil }
        return end
    }

    /// How many bytes a dot has, of ASCII or full width; nil where none stands.
    private static func dot(in bytes: [UInt8], at place: Int) -> Int? {
        if bytes[place] == UInt8(ascii: ".") { return 1 }
        return wideScalar(bytes[place...]) == 0xFF0E ? 3 : nil
    }

    /// How many bytes a character has that may stand in a label; 0 for any other.
    private static func domainLength(in bytes: [UInt8], at place: Int) -> Int {
        if ASCII.isAlphanumeric(bytes[place]) || bytes[place] == UInt8(ascii: "-") { return 1 }
        if isLetter(in: bytes, at: place) { return 2 }
        return isWide(bytes[place...]) ? 3 : 0
    }

    // MARK: Letters

    /// Whether a letter of two bytes stands at a place: Latin with marks, Greek or Cyrillic, which stand apart from the
    /// words around them.
    private static func isLetter(in bytes: [UInt8], at place: Int) -> Bool {
        guard place + 1 < bytes.count, (0xC3...0xD4).contains(bytes[place]),
            bytes[place + 1] & 0xC0 == 0x80
        else { return false }
        // The signs of multiplication and division.
        return bytes[place] != 0xC3 || bytes[place + 1] != 0x97 && bytes[place + 1] != 0xB7
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
