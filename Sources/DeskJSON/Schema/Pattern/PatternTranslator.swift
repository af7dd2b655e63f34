import DeskBytes

/// Rewrites an ECMA-262 pattern (with the `u` flag) in the engine's own syntax.
struct PatternTranslator {
    private let text: [Unicode.Scalar]
    private var at = 0
    private var out = ""
    private var groupDepth = 0
    /// The first construct that is right but beyond a linear-time engine.
    private var unsupported: String?

    /// ECMA-262 white space and line ends, as the inside of a class.
    private static let space =
        "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"
    /// Everything else.
    private static let notSpace =
        "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
        + "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
        + "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"

    private init(_ source: String) { text = Array(source.unicodeScalars) }

    /// The engine's pattern.
    static func translate(_ source: String) throws(PatternError) -> [UInt8] {
        var translator = PatternTranslator(source)
        try translator.disjunction()
        if let construct = translator.unsupported {
            throw PatternError(
                isUnsupported: true,
                sentence: "\(construct) cannot be matched in linear time.")
        }
        return Array(translator.out.utf8)
    }

    /// Whether the text is an ECMA-262 pattern, whether or not the engine can run it.
    static func isPattern(_ source: String) -> Bool {
        var translator = PatternTranslator(source)
        do throws(PatternError) {
            try translator.disjunction()
            return true
        } catch {
            return false
        }
    }

    private func fault(_ sentence: String) -> PatternError {
        PatternError(isUnsupported: false, sentence: sentence)
    }

    private var next: Unicode.Scalar? { at < text.count ? text[at] : nil }

    private func isNext(_ expected: String) -> Bool {
        let scalars = Array(expected.unicodeScalars)
        return at + scalars.count <= text.count
            && text[at..<at + scalars.count].elementsEqual(scalars)
    }

    private mutating func take(_ expected: String) -> Bool {
        guard isNext(expected) else { return false }
        at += expected.unicodeScalars.count
        return true
    }

    /// The whole pattern; groups are counted, not recursed into.
    private mutating func disjunction() throws(PatternError) {
        var mayRepeat = false
        while let scalar = next {
            switch scalar {
            case "(":
                try openGroup()
                mayRepeat = false
            case ")":
                guard groupDepth > 0 else { throw fault("A ) has no (.") }
                groupDepth -= 1
                at += 1
                out += ")"
                mayRepeat = true
            case "|":
                at += 1
                out += "|"
                mayRepeat = false
            case "*", "+", "?", "{":
                guard mayRepeat else { throw fault("There is nothing to repeat before \(scalar).") }
                try quantifier()
                mayRepeat = false
            case "^":
                at += 1
                out += "^"
                mayRepeat = false
            case "$":
                at += 1
                out += "\\z"
                mayRepeat = false
            case ".":
                at += 1
                out += "[^\\n\\r\\x{2028}\\x{2029}]"
                mayRepeat = true
            case "[":
                try characterClass()
                mayRepeat = true
            case "\\": mayRepeat = try escape()
            case "]", "}": throw fault("A \(scalar) stands alone; write \\\(scalar).")
            default:
                at += 1
                out += PatternTranslator.literal(scalar.value)
                mayRepeat = true
            }
        }
        guard groupDepth == 0 else { throw fault("A ( has no ).") }
    }

    private mutating func openGroup() throws(PatternError) {
        groupDepth += 1
        if take("(?:") {
            out += "(?:"
        } else if take("(?=") || take("(?!") {
            unsupported = unsupported ?? "Lookahead"
            out += "(?:"
        } else if take("(?<=") || take("(?<!") {
            unsupported = unsupported ?? "Lookbehind"
            out += "(?:"
        } else if take("(?<") {
            var name = ""
            while let scalar = next, scalar != ">" {
                guard scalar.properties.isXIDContinue || scalar == "$" else {
                    throw fault("A group's name holds \(scalar).")
                }
                name.unicodeScalars.append(scalar)
                at += 1
            }
            guard take(">"), !name.isEmpty else { throw fault("A group's name has no end.") }
            out += "("
        } else if isNext("(?") {
            throw fault("There is no group that starts like this: (?")
        } else {
            at += 1
            out += "("
        }
    }

    private mutating func quantifier() throws(PatternError) {
        if take("{") {
            guard let least = number() else { throw fault("A { starts no repetition; write \\{.") }
            var most: Int? = least
            if take(",") { most = number() }
            guard take("}") else { throw fault("A repetition has no }.") }
            if let most, most < least { throw fault("A repetition's limits are the wrong way.") }
            if least > 1000 || most ?? 0 > 1000 {
                unsupported = unsupported ?? "A repetition of more than 1,000"
            }
            out += most == least ? "{\(least)}" : "{\(least),\(most.map { String($0) } ?? "")}"
        } else if let scalar = next {
            at += 1
            out.unicodeScalars.append(scalar)
        }
        if take("?") { out += "?" }
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000)
            at += 1
        }
        return value
    }

    /// A backslash outside a class; returns whether what it makes may be repeated.
    private mutating func escape() throws(PatternError) -> Bool {
        at += 1
        guard let letter = next else { throw fault("The pattern ends in a backslash.") }
        switch letter {
        case "b", "B":
            at += 1
            out.unicodeScalars.append("\\")
            out.unicodeScalars.append(letter)
            return false
        case "1"..."9", "k":
            at += 1
            if letter == "k" {
                guard take("<"), let end = text[at...].firstIndex(of: ">") else {
                    throw fault("A \\k names no group.")
                }
                at = end + 1
            } else {
                _ = number()
            }
            unsupported = unsupported ?? "A backreference"
            return true
        default: break
        }
        if let set = try setEscape() {
            out += "[" + set + "]"
        } else {
            out += PatternTranslator.literal(try characterEscape())
        }
        return true
    }

    /// `\d`, `\w`, `\s`, `\p` and their opposites, as the inside of a class.
    private mutating func setEscape() throws(PatternError) -> String? {
        guard let letter = next else { return nil }
        let set: String
        switch letter {
        case "d": set = "0-9"
        case "D": set = "\\x{0}-/:-\\x{10ffff}"
        case "w": set = "0-9A-Za-z_"
        case "W": set = "\\x{0}-/:-@\\[-\\^`{-\\x{10ffff}"
        case "s": set = PatternTranslator.space
        case "S": set = PatternTranslator.notSpace
        case "p", "P":
            at += 1
            return try property(isNegated: letter == "P")
        default: return nil
        }
        at += 1
        return set
    }

    private mutating func property(isNegated: Bool) throws(PatternError) -> String {
        guard take("{") else { throw fault("A \\p names no property.") }
        var name = ""
        while let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            at += 1
        }
        guard take("}") else { throw fault("A \\p{ has no }.") }
        if name == "Any", !isNegated { return "\\x{0}-\\x{10ffff}" }
        if name == "ASCII" { return isNegated ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}" }
        guard let short = UnicodeProperty.engineName(name) else {
            unsupported = unsupported ?? "The Unicode property \(name)"
            return "a"
        }
        return (isNegated ? "\\P{" : "\\p{") + short + "}"
    }

    /// The scalar of an escape; `at` is after the backslash.
    private mutating func characterEscape() throws(PatternError) -> UInt32 {
        guard let letter = next else { throw fault("The pattern ends in a backslash.") }
        at += 1
        switch letter {
        case "t": return 9
        case "n": return 10
        case "v": return 11
        case "f": return 12
        case "r": return 13
        case "0":
            if let digit = next, ("0"..."9").contains(digit) { throw fault("\\0 and a digit.") }
            return 0
        case "c":
            guard let control = next, ASCII.isLetter(UInt8(truncatingIfNeeded: control.value)),
                control.isASCII
            else { throw fault("\\c is not followed by a letter.") }
            at += 1
            return control.value & 31
        case "x": return try hex(2)
        case "u": return try unicodeEscape()
        default:
            // ECMA-262 22.2.1, IdentityEscape: punctuation only, no letter and no digit.
            guard letter.isASCII, !ASCII.isAlphanumeric(UInt8(letter.value)), letter != "_" else {
                throw fault("There is no escape \\\(letter).")
            }
            return letter.value
        }
    }

    private mutating func hex(_ count: Int) throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = next, digit.isASCII, let worth = ASCII.hexValue(UInt8(digit.value))
            else { throw fault("An escape lacks its \(count) hex digits.") }
            value = value << 4 | UInt32(worth)
            at += 1
        }
        return value
    }

    private mutating func unicodeEscape() throws(PatternError) -> UInt32 {
        if take("{") {
            var value: UInt32 = 0
            var count = 0
            while let digit = next, digit.isASCII, let worth = ASCII.hexValue(UInt8(digit.value)) {
                value = min(value << 4 | UInt32(worth), 0x11_0000)
                count += 1
                at += 1
            }
            guard take("}"), count > 0, value < 0x11_0000 else {
                throw fault("A \\u{ holds no code point.")
            }
            return value
        }
        let first = try hex(4)
        guard first & 0xFC00 == 0xD800, isNext("\\u") else { return first }
        let before = at
        at += 2
        let second = try hex(4)
        guard second & 0xFC00 == 0xDC00 else {
            at = before
            return first
        }
        return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
    }

    private mutating func characterClass() throws(PatternError) {
        at += 1
        let isNegated = take("^")
        var body = ""
        while let scalar = next, scalar != "]" {
            let (set, low) = try classAtom(scalar)
            guard isNext("-"), at + 1 < text.count, text[at + 1] != "]" else {
                body += set ?? PatternTranslator.literal(low)
                continue
            }
            at += 1
            guard let after = next else { break }
            let (otherSet, high) = try classAtom(after)
            guard set == nil, otherSet == nil else {
                throw fault("A range in a class starts or ends with a set.")
            }
            guard low <= high else { throw fault("A range in a class is the wrong way.") }
            body += PatternTranslator.literal(low) + "-" + PatternTranslator.literal(high)
        }
        guard take("]") else { throw fault("A [ has no ].") }
        if body.isEmpty {
            // `[]` matches nothing and `[^]` everything.
            out += isNegated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]"
        } else {
            out += (isNegated ? "[^" : "[") + body + "]"
        }
    }

    private mutating func classAtom(
        _ scalar: Unicode.Scalar
    ) throws(PatternError) -> (set: String?, value: UInt32) {
        at += 1
        guard scalar == "\\" else { return (nil, scalar.value) }
        if let set = try setEscape() { return (set, 0) }
        if take("b") { return (nil, 8) }
        return (nil, try characterEscape())
    }

    /// One scalar in the engine's syntax, safe inside and outside a class.
    private static func literal(_ value: UInt32) -> String {
        if value < 0x80, ASCII.isAlphanumeric(UInt8(value)) || value == 0x20 {
            return String(Unicode.Scalar(UInt8(value)))
        }
        // A lone surrogate occurs in no text; a value that no text contains represents it.
        return "\\x{" + String(value & 0xFFFF_F800 == 0xD800 ? 0x10FFFF : value, radix: 16) + "}"
    }
}
