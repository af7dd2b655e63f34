import DeskBytes

/// Finds e-mail addresses, as people write them: without quotation marks and comments.
enum EmailScan {
    /// The places of all addresses, in order.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for at in bytes.indices {
            guard let length = atSign(in: bytes, at: at) else { continue }
            var start = at
            let least = found.last?.upperBound ?? 0
            while start > least {
                let size = localLength(in: bytes, before: start)
                guard size > 0, start - size >= least else { break }
                start -= size
            }
            // A dot or hyphen before belongs to the sentence.
            while start < at, bytes[start] == UInt8(ascii: ".") { start += 1 }
            guard start < at, let end = domainEnd(in: bytes, from: at + length) else { continue }
            found.append(start..<end)
        }
        return found
    }

    /// How many bytes an at sign has, of ASCII or full width; nil where none stands.
    private static func atSign(in bytes: [UInt8], at place: Int) -> Int? {
        if bytes[place] == UInt8(ascii: "@") { return 1 }
        guard bytes[place] == 0xEF, place + 2 < bytes.count, bytes[place + 1] == 0xBC,
            bytes[place + 2] == 0xA0
        else { return nil }
        return 3
    }

    /// Where a domain with at least one dot ends; nil where none begins.
    private static func domainEnd(in bytes: [UInt8], from start: Int) -> Int? {
        var end = start
        while end < bytes.count {
            if ASCII.isAlphanumeric(bytes[end]) || bytes[end] == UInt8(ascii: "-")
                || bytes[end] == UInt8(ascii: ".")
            {
                end += 1
            } else if isLetter(in: bytes, at: end) {
                end += 2
            } else {
                break
            }
        }
        // What ends a sentence is no part of it.
        while end > start, bytes[end - 1] < 0x80, !ASCII.isAlphanumeric(bytes[end - 1]) {
            end -= 1
        }
        let labels = bytes[start..<end].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }),
            let last = labels.last, last.count(where: { $0 & 0xC0 != 0x80 }) >= 2
        else { return nil }
        return end
    }

    /// How many bytes the character before a place has, if it may stand before the at sign; 0 for any other.
    private static func localLength(in bytes: [UInt8], before place: Int) -> Int {
        if isLocal(bytes[place - 1]) { return 1 }
        return place >= 2 && isLetter(in: bytes, at: place - 2) ? 2 : 0
    }

    /// Whether a letter of two bytes stands at a place: Latin with marks, Greek or Cyrillic, which stand apart from the
    /// words around them.
    private static func isLetter(in bytes: [UInt8], at place: Int) -> Bool {
        guard place + 1 < bytes.count, (0xC3...0xD4).contains(bytes[place]),
            bytes[place + 1] & 0xC0 == 0x80
        else { return false }
        // The signs of multiplication and division.
        return bytes[place] != 0xC3 || bytes[place + 1] != 0x97 && bytes[place + 1] != 0xB7
    }

    private static func isLocal(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }
}
