/// Phrases findings in English.
enum Words {
    /// The types of a mask, such as "a string or an object".
    static func types(_ mask: UInt8) -> String {
        var names: [String] = []
        if mask & 16 != 0 { names.append("a string") }
        if mask & 8 != 0 { names.append("a number") }
        if mask & 8 == 0, mask & Block.wholeBit != 0 { names.append("a whole number") }
        if mask & 6 != 0 { names.append("true or false") }
        if mask & 32 != 0 { names.append("an array") }
        if mask & 64 != 0 { names.append("an object") }
        if mask & 1 != 0 { names.append("null") }
        guard let last = names.popLast() else { return "nothing" }
        return names.isEmpty ? last : names.joined(separator: ", ") + " or " + last
    }

    /// "1 element", "3 elements".
    static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    /// The name in double quotes, cut after 60 scalars.
    static func quoted(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard scalars.count > 60 else { return "\"\(name)\"" }
        return "\"\(String(String.UnicodeScalarView(scalars.prefix(57))))…\""
    }

    /// Names in quotes, joined.
    static func list(_ names: [String]) -> String { joined(names.map { quoted($0) }) }

    /// Texts with commas, the last with "or"; at most twelve, then how many more.
    static func joined(_ texts: [String]) -> String {
        var parts = Array(texts.prefix(12))
        if texts.count > 12 {
            return parts.joined(separator: ", ") + " and \(texts.count - 12) more"
        }
        guard let last = parts.popLast() else { return "nothing" }
        return parts.isEmpty ? last : parts.joined(separator: ", ") + " or " + last
    }

    /// The candidate that differs from the text by case only or by the fewest edits, at most a
    /// third of its length and three; nil when none is close.
    static func closest(to text: String, among candidates: [String]) -> String? {
        let own = lowercased(text)
        guard !own.isEmpty, own.count <= 64 else { return nil }
        var best: (distance: Int, name: String)?
        for candidate in candidates.prefix(200) {
            let other = lowercased(candidate)
            guard other.count <= 64, abs(other.count - own.count) <= 3 else { continue }
            let distance = distance(own, other)
            let most = min(3, max(own.count, other.count) / 3)
            if distance <= most, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.name
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }

    /// Levenshtein's distance, a swap of two neighbours counting as one edit.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (place, byte) in left.enumerated() {
            var row = [place + 1]
            for (other, candidate) in right.enumerated() {
                var best = min(last[other + 1], row[other]) + 1
                best = min(best, last[other] + (byte == candidate ? 0 : 1))
                if place > 0, other > 0, byte == right[other - 1], left[place - 1] == candidate {
                    best = min(best, beforeLast[other - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[right.count]
    }
}
