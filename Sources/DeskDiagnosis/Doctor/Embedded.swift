import DeskBytes
import DeskJSON

/// A JSON value found within a text.
struct Embedded {
    /// Its place in the text.
    let range: Range<Int>
    /// The value as JSON.
    let text: [UInt8]
    /// Whether its quotation marks were escaped.
    let isEscaped: Bool
    /// What else was wrong with it.
    let defects: [Defect]

    /// The first value that is more than a pair of brackets.
    ///
    /// Limit: looks at `tries` places, and reads about three times the text in all.
    static func find(in text: [UInt8], from start: Int, tries: Int) -> Embedded? {
        let ways = RelaxedJSON.ways(text)
        var budget = 3 * text.count + 1_024
        var left = tries
        var place = start
        while place < text.count, left > 0, budget > 0 {
            guard text[place] == UInt8(ascii: "{") || text[place] == UInt8(ascii: "[") else {
                place += 1
                continue
            }
            left -= 1
            if let found = value(in: text, at: place, ways, &budget) { return found }
            place += 1
        }
        return nil
    }

    private static func value(
        in text: [UInt8], at place: Int, _ ways: [Bool], _ budget: inout Int
    ) -> Embedded? {
        if isEscapedStart(text, place) {
            return escaped(in: text, at: place, &budget)
        }
        for mixes in ways {
            guard
                let read = RelaxedJSON.read(
                    text, from: place, mixesQuotes: mixes, budget: &budget)
            else { continue }
            guard let root = Doctor.container(read.out), Doctor.isSaying(root) else { return nil }
            return Embedded(
                range: place..<read.place, text: read.out, isEscaped: false,
                defects: Doctor.slips(of: read))
        }
        return nil
    }

    /// Whether the first key or text after a bracket begins with an escaped quotation mark.
    private static func isEscapedStart(_ text: [UInt8], _ bracket: Int) -> Bool {
        var place = bracket + 1
        while place + 1 < text.count {
            let byte = text[place]
            if Doctor.isSpace(byte) || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                place += 1
            } else if byte == UInt8(ascii: "\\"), "nrt".utf8.contains(text[place + 1]) {
                place += 2
            } else {
                break
            }
        }
        guard place + 1 < text.count, text[place] == UInt8(ascii: "\\") else { return false }
        return "\"\\xu".utf8.contains(text[place + 1])
    }

    private static func escaped(
        in text: [UInt8], at start: Int, _ budget: inout Int
    ) -> Embedded? {
        // The text ends at the first quotation mark that is not escaped.
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "\"") {
            end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, text.count)
        budget -= (end - start) * 2
        var level = Array(text[start..<end])
        for _ in 0..<3 {
            guard let plain = unescaped(level) else { return nil }
            level = plain
            if let read = RelaxedJSON.read(level, from: 0, mixesQuotes: false, budget: &budget),
                let root = Doctor.container(read.out), Doctor.isSaying(root)
            {
                // What follows the value within the same text belongs to it.
                guard Doctor.isBlank(level[read.place...]) || read.place == level.count else {
                    return tail(level[read.place...])
                        ? Embedded(
                            range: start..<end, text: read.out, isEscaped: true,
                            defects: Doctor.slips(of: read)) : nil
                }
                return Embedded(
                    range: start..<end, text: read.out, isEscaped: true,
                    defects: Doctor.slips(of: read))
            }
        }
        return nil
    }

    /// Whether what follows a value holds no other one.
    private static func tail(_ rest: ArraySlice<UInt8>) -> Bool {
        !rest.contains(UInt8(ascii: "{"))
    }

    /// A text with one layer of backslashes removed; nil when an escape is none.
    static func unescaped(_ text: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            guard text[place] == UInt8(ascii: "\\") else {
                out.append(text[place])
                place += 1
                continue
            }
            guard place + 1 < text.count else { return nil }
            let letter = text[place + 1]
            switch letter {
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "x"):
                guard place + 4 <= text.count,
                    let bytes = Hex.decode(Array(text[place + 2..<place + 4]))
                else { return nil }
                out += bytes
                place += 2
            case UInt8(ascii: "u"):
                // A character is one in either layer; only a quotation mark must be seen as one.
                if text[place...].starts(with: "\\u0022".utf8) {
                    out.append(UInt8(ascii: "\""))
                    place += 4
                } else {
                    out += "\\u".utf8
                }
            default: out.append(letter)
            }
            place += 2
        }
        return out
    }
}
