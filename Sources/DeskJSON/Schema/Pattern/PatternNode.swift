/// A pattern as a tree: what a small table can be made from.
indirect enum PatternNode {
    /// One scalar out of these ranges.
    case scalars([ClosedRange<UInt32>])
    /// One after the other; none is the empty text.
    case sequence([PatternNode])
    /// Any one of them.
    case choice([PatternNode])
    /// Repeated; without a most, any number of times.
    case repetition(PatternNode, least: Int, most: Int?)
    /// The text starts here.
    case start
    /// The text ends here.
    case end
}

/// Parses the output of ``PatternTranslator``; nil for what a table cannot do (word boundaries,
/// Unicode properties).
struct PatternReader {
    private let text: [UInt8]
    private var at = 0

    private init(_ text: [UInt8]) { self.text = text }

    /// The tree of a translated pattern.
    static func read(_ text: [UInt8]) -> PatternNode? {
        var reader = PatternReader(text)
        guard let node = reader.choice(), reader.at == text.count else { return nil }
        return node
    }

    private var next: UInt8? { at < text.count ? text[at] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    /// Recursion is bounded by the 512 bytes a pattern may have.
    private mutating func choice() -> PatternNode? {
        var branches: [PatternNode] = []
        repeat {
            guard let branch = sequence() else { return nil }
            branches.append(branch)
        } while take(UInt8(ascii: "|"))
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() -> PatternNode? {
        var parts: [PatternNode] = []
        while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            guard let part = atom(byte), let repeated = repetition(of: part) else { return nil }
            parts.append(repeated)
        }
        return .sequence(parts)
    }

    private mutating func atom(_ byte: UInt8) -> PatternNode? {
        switch byte {
        case UInt8(ascii: "^"):
            at += 1
            return .start
        case UInt8(ascii: "("):
            at += 1
            if take(UInt8(ascii: "?")), !take(UInt8(ascii: ":")) { return nil }
            guard let inner = choice(), take(UInt8(ascii: ")")) else { return nil }
            return inner
        case UInt8(ascii: "["): return characterClass()
        case UInt8(ascii: "\\") where at + 1 < text.count && text[at + 1] == UInt8(ascii: "z"):
            at += 2
            return .end
        default:
            guard let value = scalar() else { return nil }
            return .scalars([value...value])
        }
    }

    /// What follows an atom: `*`, `+`, `?` or numbers in braces, each perhaps lazy.
    private mutating func repetition(of part: PatternNode) -> PatternNode? {
        var repeated = part
        switch next {
        case UInt8(ascii: "*"): repeated = .repetition(part, least: 0, most: nil)
        case UInt8(ascii: "+"): repeated = .repetition(part, least: 1, most: nil)
        case UInt8(ascii: "?"): repeated = .repetition(part, least: 0, most: 1)
        case UInt8(ascii: "{"):
            at += 1
            guard let least = number() else { return nil }
            var most: Int? = least
            if take(UInt8(ascii: ",")) { most = number() }
            guard next == UInt8(ascii: "}") else { return nil }
            repeated = .repetition(part, least: least, most: most)
        default: return part
        }
        at += 1
        // Lazy or not, the same texts match.
        _ = take(UInt8(ascii: "?"))
        return repeated
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let byte = next, byte &- 0x30 < 10, value ?? 0 < 10_000 {
            value = (value ?? 0) * 10 + Int(byte - 0x30)
            at += 1
        }
        return value
    }

    private mutating func characterClass() -> PatternNode? {
        at += 1
        let isNegated = take(UInt8(ascii: "^"))
        var ranges: [ClosedRange<UInt32>] = []
        while let byte = next, byte != UInt8(ascii: "]") {
            guard let low = scalar() else { return nil }
            var high = low
            if take(UInt8(ascii: "-")) {
                guard let end = scalar(), end >= low else { return nil }
                high = end
            }
            ranges.append(low...high)
        }
        guard take(UInt8(ascii: "]")) else { return nil }
        return .scalars(PatternReader.normal(ranges, isNegated: isNegated))
    }

    /// One scalar, plain or escaped.
    private mutating func scalar() -> UInt32? {
        guard let byte = next, byte < 0x80 else { return nil }
        at += 1
        guard byte == UInt8(ascii: "\\") else { return UInt32(byte) }
        guard let letter = next, letter < 0x80 else { return nil }
        at += 1
        switch letter {
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "x"): return hexScalar()
        default:
            // Escaped punctuation is literal; escaped letters are sets and boundaries.
            let isLetter = (letter | 0x20) &- 0x61 < 26 || letter &- 0x30 < 10
            return isLetter ? nil : UInt32(letter)
        }
    }

    private mutating func hexScalar() -> UInt32? {
        guard take(UInt8(ascii: "{")), let end = text[at...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let digits = String(decoding: text[at..<end], as: UTF8.self)
        at = end + 1
        return UInt32(digits, radix: 16)
    }

    /// The ranges in order, apart from each other, or everything between them.
    private static func normal(
        _ ranges: [ClosedRange<UInt32>], isNegated: Bool
    ) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                let high = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...high
            } else {
                merged.append(range)
            }
        }
        guard isNegated else { return merged }
        var rest: [ClosedRange<UInt32>] = []
        var low: UInt32 = 0
        for range in merged {
            if range.lowerBound > low { rest.append(low...range.lowerBound - 1) }
            low = range.upperBound + 1
        }
        if low <= 0x10FFFF { rest.append(low...0x10FFFF) }
        return rest
    }
}
