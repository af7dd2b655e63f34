import DeskBytes

/// Groups of digits in a text.
extension NumberScan {
    /// What is looked for, which says what may stand between two groups.
    enum Reach {
        /// Numbers of cards, over line breaks too.
        case cards
        /// Numbers of phones, as they stand in one line.
        case phones

        /// Separators between two groups; behind more begins another number.
        var mostSeparators: Int {
            switch self {
            case .cards: 8
            case .phones: 3
            }
        }
    }

    /// All runs of a text, in order.
    static func runs(in bytes: [UInt8], across reach: Reach) -> [Run] {
        var runs: [Run] = []
        var run = Run()
        var place = 0
        while place < bytes.count {
            guard let (digit, length) = digit(in: bytes, at: place) else {
                place += 1
                continue
            }
            var group = Group(digits: [digit], range: place..<place + length)
            while let (next, length) = self.digit(in: bytes, at: group.range.upperBound) {
                group.digits.append(next)
                group.range = group.range.lowerBound..<group.range.upperBound + length
            }
            if let before = run.groups.last {
                addGap(Array(bytes[before.range.upperBound..<place]), to: &group, reach)
            } else {
                begin(&run, with: &group, in: bytes)
            }
            run.groups.append(group)
            place = group.range.upperBound
            if let next = nextGroup(in: bytes, after: place, across: reach) {
                place = next
            } else {
                run.endsInWord =
                    isOfWord(place, in: bytes) && !isFollowedByWord(place, in: bytes)
                runs.append(run)
                run = Run()
            }
        }
        return runs
    }

    /// Notes what stands before the first group: letters, a plus sign, an opening bracket.
    private static func begin(_ run: inout Run, with group: inout Group, in bytes: [UInt8]) {
        run.start = group.range.lowerBound
        run.beginsInWord = isOfWord(run.start - 1, in: bytes) && !isLedByWord(run.start, in: bytes)
        if run.start > 0, bytes[run.start - 1] == UInt8(ascii: "(") {
            run.start -= 1
            group.isBracketed = true
        }
        if run.start > 0, bytes[run.start - 1] == UInt8(ascii: "+") {
            run.start -= 1
            run.hasPlus = true
        } else if run.start > 2, Array(bytes[run.start - 3..<run.start]) == [0xEF, 0xBC, 0x8B] {
            run.start -= 3
            run.hasPlus = true
        } else if run.start > 0 {
            let before = bytes[run.start - 1]
            run.isNumbered = before == UInt8(ascii: "#") || before == UInt8(ascii: "-")
        }
        run.isLabelled = isLabelled(run.start, in: bytes)
    }

    /// Notes what stands between a group and the one before.
    private static func addGap(_ gap: [UInt8], to group: inout Group, _ reach: Reach) {
        group.gap = gap
        group.isApart = isApart(gap[...])
        group.isBracketed = gap.last == UInt8(ascii: "(")
        guard reach == .cards else { return }
        var place = 0
        var count = 0
        while let length = separator(in: gap, at: place, across: .phones) {
            place += length
            count += 1
        }
        group.isBroken = place < gap.count || count > Reach.phones.mostSeparators
    }

    private static func isOfWord(_ index: Int, in bytes: [UInt8]) -> Bool {
        bytes.indices.contains(index)
            && (ASCII.isAlphanumeric(bytes[index]) || bytes[index] == UInt8(ascii: "_"))
    }

    /// Where the next group begins, if no more separators than a number has lead to one.
    private static func nextGroup(
        in bytes: [UInt8], after place: Int, across reach: Reach
    ) -> Int? {
        var next = place
        for _ in 0..<reach.mostSeparators {
            guard let length = separator(in: bytes, at: next, across: reach) else { break }
            next += length
        }
        return next > place && digit(in: bytes, at: next) != nil ? next : nil
    }

    /// The value of a digit and how many bytes it has.
    static func digit(in bytes: [UInt8], at place: Int) -> (UInt8, Int)? {
        guard place < bytes.count else { return nil }
        if ASCII.isDigit(bytes[place]) { return (bytes[place] - 0x30, 1) }
        guard bytes[place] >= 0x80 else { return nil }
        for (lead, zero) in scripts where lead[0] == bytes[place] {
            let last = place + lead.count
            if last < bytes.count, bytes[place..<last].elementsEqual(lead),
                (zero...zero + 9).contains(bytes[last])
            {
                return (bytes[last] - zero, lead.count + 1)
            }
        }
        return nil
    }

    /// Digits of full width, of other scripts and of mathematics: all but the last byte, and the last one of zero.
    private static let scripts: [(lead: [UInt8], zero: UInt8)] = [
        // Full width, Arabic, Persian, N'Ko.
        ([0xEF, 0xBC], 0x90), ([0xD9], 0xA0), ([0xDB], 0xB0), ([0xDF], 0x80),
        // Devanagari, Bengali, Gurmukhi, Gujarati, Oriya.
        ([0xE0, 0xA5], 0xA6), ([0xE0, 0xA7], 0xA6), ([0xE0, 0xA9], 0xA6), ([0xE0, 0xAB], 0xA6),
        ([0xE0, 0xAD], 0xA6),
        // Tamil, Telugu, Kannada, Malayalam.
        ([0xE0, 0xAF], 0xA6), ([0xE0, 0xB1], 0xA6), ([0xE0, 0xB3], 0xA6), ([0xE0, 0xB5], 0xA6),
        // Thai, Lao, Tibetan, Myanmar, Khmer, Mongolian.
        ([0xE0, 0xB9], 0x90), ([0xE0, 0xBB], 0x90), ([0xE0, 0xBC], 0xA0), ([0xE1, 0x81], 0x80),
        ([0xE1, 0x9F], 0xA0), ([0xE1, 0xA0], 0x90),
        // Bold, double-struck, sans-serif, its bold, and of one width.
        ([0xF0, 0x9D, 0x9F], 0x8E), ([0xF0, 0x9D, 0x9F], 0x98), ([0xF0, 0x9D, 0x9F], 0xA2),
        ([0xF0, 0x9D, 0x9F], 0xAC), ([0xF0, 0x9D, 0x9F], 0xB6),
    ]

    // MARK: Separators

    /// How many bytes a separator has: space, hyphen, dot, slash, brackets, spaces that do not break,
    /// dashes, hyphens of full width, middle dots, signs without a picture; between digits of cards line breaks, tabs,
    /// commas, colons and other marks too.
    static func separator(
        in bytes: [UInt8], at place: Int, across reach: Reach
    ) -> Int? {
        guard place < bytes.count else { return nil }
        if " -./()".utf8.contains(bytes[place]) { return 1 }
        if reach == .cards {
            if "\n\r\t_,:;|*~='\"`\\".utf8.contains(bytes[place]) { return 1 }
        }
        guard bytes[place] >= 0x80 else { return nil }
        for mark in marks where bytes[place...].starts(with: mark) { return mark.count }
        guard reach == .cards else { return nil }
        for mark in cardMarks where bytes[place...].starts(with: mark) { return mark.count }
        return nil
    }

    /// Whether more than hyphens and dots stands between two groups.
    private static func isApart(_ between: ArraySlice<UInt8>) -> Bool {
        var rest = between
        while let byte = rest.first {
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if let hyphen = hyphens.first(where: { rest.starts(with: $0) }) {
                rest = rest.dropFirst(hyphen.count)
            } else {
                return true
            }
        }
        return false
    }

    private static let hyphens: [[UInt8]] = [
        "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{30FC}", "\u{FF70}", "\u{FF0D}",
        "\u{2212}", "\u{FE63}", "\u{2043}",
    ].map { Array($0.utf8) }

    private static let marks: [[UInt8]] =
        hyphens
        + [
            "\u{B7}", "\u{2022}", "\u{30FB}", "\u{FF65}", "\u{2000}", "\u{2001}",
            "\u{2014}", "\u{2015}", "\u{2500}", "\u{2501}", "\u{A0}", "\u{2002}", "\u{2003}",
            "\u{2004}", "\u{2005}", "\u{2006}", "\u{2007}", "\u{2008}", "\u{2009}", "\u{200A}",
            "\u{202F}", "\u{205F}", "\u{3000}", "\u{FF08}", "\u{FF09}", "\u{FF0E}", "\u{FF0F}",
            // Not seen: joiners, directions, a hyphen at the end of a line; and what makes a digit a key's picture.
            "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{202A}",
            "\u{202C}", "\u{202D}", "\u{2060}", "\u{2066}", "\u{2068}", "\u{2069}", "\u{FE0F}",
            "\u{20E3}", "\u{FEFF}", "\u{180E}", "\u{202B}", "\u{202E}", "\u{2061}", "\u{2062}",
            "\u{2063}", "\u{2064}", "\u{2067}", "\u{34F}", "\u{61C}",
        ].map { Array($0.utf8) }

    private static let cardMarks: [[UInt8]] = [
        "\u{85}", "\u{2028}", "\u{2029}", "\u{2018}", "\u{2019}", "\u{3001}", "\u{FF0C}",
        "\u{FF1A}", "\u{FF1B}", "\u{FF5C}", "\u{FF0A}", "\u{FF3F}", "\u{301C}", "\u{FF5E}",
    ].map { Array($0.utf8) }
}
