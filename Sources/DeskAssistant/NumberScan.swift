import DeskBytes

/// Finds numbers of payment cards and phones in a text.
enum NumberScan {
    /// Digits that stand together.
    private struct Group {
        var digits: [UInt8]
        var range: Range<Int>
        /// Whether more than hyphens and dots stands between it and the group before: another number may begin.
        var isApart = true
    }

    /// Groups with nothing but separators between them, and what stands around.
    private struct Run {
        var groups: [Group] = []
        var hasPlus = false
        /// Where the plus sign or the opening bracket stands.
        var start = 0
        /// Whether a letter stands right before the first group, or right after the last one.
        var beginsInWord = false
        var endsInWord = false
    }

    /// The places of all numbers, in order; they do not overlap.
    static func numbers(in bytes: [UInt8]) -> [(range: Range<Int>, kind: Blanking.Kind)] {
        var found: [(range: Range<Int>, kind: Blanking.Kind)] = []
        for run in runs(in: bytes) {
            let cards = cards(in: run)
            found += cards.map { ($0, .cards) }
            found += phones(in: run, besides: cards).map { ($0, .phones) }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Cards

    /// The numbers of cards among the groups of a run, each as long as it can be.
    private static func cards(in run: Run) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var first = 0
        while first < run.groups.count {
            var digits: [UInt8] = []
            var end: Int?
            for last in first..<run.groups.count {
                digits += run.groups[last].digits
                if digits.count > 19 { break }
                if digits.count >= 13, isChecked(digits) { end = last }
            }
            if let end {
                found.append(
                    run.groups[first].range.lowerBound..<run.groups[end].range.upperBound)
                first = end + 1
            } else {
                first += 1
            }
        }
        return found
    }

    /// Whether the last digit is the check digit of the others, after Luhn.
    static func isChecked(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let doubled = place % 2 == 1 ? Int(digit) * 2 : Int(digit)
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        // Zeros alone are no card's number.
        return sum % 10 == 0 && sum > 0
    }

    // MARK: Phones

    /// The places of phone numbers among the groups of a run, each as long as it can be; other numbers, such as dates,
    /// amounts and cards, may stand before and behind them.
    private static func phones(in run: Run, besides cards: [Range<Int>]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var first = 0
        let isCard = groups(of: run, in: cards)
        while first < run.groups.count {
            guard let last = lastOfPhone(from: first, in: run, besides: isCard) else {
                first += 1
                continue
            }
            let start = first == 0 ? run.start : run.groups[first].range.lowerBound
            found.append(start..<run.groups[last].range.upperBound)
            first = last + 1
        }
        return found
    }

    /// Which groups of a run stand in one of the ranges, which are in order.
    private static func groups(of run: Run, in ranges: [Range<Int>]) -> [Bool] {
        var rest = ranges[...]
        return run.groups.map { group in
            while let next = rest.first, next.upperBound <= group.range.lowerBound {
                rest.removeFirst()
            }
            return rest.first?.overlaps(group.range) ?? false
        }
    }

    /// The last group of the longest phone number that begins with a group.
    private static func lastOfPhone(
        from first: Int, in run: Run, besides isCard: [Bool]
    ) -> Int? {
        guard first == 0 ? !run.beginsInWord : run.groups[first].isApart else { return nil }
        var counts: [Int] = []
        var found: Int?
        for last in first..<min(run.groups.count, first + mostDigits) {
            let group = run.groups[last]
            guard !isCard[last] else { break }
            counts.append(group.digits.count)
            let isEnd =
                last + 1 < run.groups.count ? run.groups[last + 1].isApart : !run.endsInWord
            guard isEnd, isPhone(run.groups[first], counts, hasPlus: first == 0 && run.hasPlus)
            else { continue }
            found = last
        }
        return found
    }

    /// Most digits of a phone number, those that lead abroad included.
    private static let mostDigits = 17

    /// Whether groups of so many digits are a phone number; what begins neither with a plus sign nor as national numbers
    /// do is one as in North America.
    private static func isPhone(_ first: Group, _ counts: [Int], hasPlus: Bool) -> Bool {
        let count = counts.reduce(0, +)
        if hasPlus { return (7...15).contains(count) }
        // With the digit that national numbers begin with; 00 leads abroad.
        if first.digits[0] == 0 {
            let most = first.digits.starts(with: [0, 0]) ? mostDigits : 12
            return (9...most).contains(count)
        }
        return counts == [3, 3, 4] || counts == [1, 3, 3, 4] && first.digits == [1]
    }

    // MARK: Reading

    private static func runs(in bytes: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var run = Run()
        var place = 0
        func isLetter(_ index: Int) -> Bool {
            bytes.indices.contains(index)
                && (ASCII.isAlphanumeric(bytes[index]) || bytes[index] == 0x5F)
        }
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
            if run.groups.isEmpty {
                run.start = group.range.lowerBound
                run.beginsInWord = isLetter(run.start - 1)
                addLead(of: &run, in: bytes)
            }
            if let before = run.groups.last {
                group.isApart = isApart(bytes[before.range.upperBound..<group.range.lowerBound])
            }
            run.groups.append(group)
            place = group.range.upperBound
            if let next = nextGroup(in: bytes, after: place) {
                place = next
            } else {
                run.endsInWord = isLetter(place)
                runs.append(run)
                run = Run()
            }
        }
        return runs
    }

    /// Adds what stands right before the first digit: a plus sign, an opening bracket.
    private static func addLead(of run: inout Run, in bytes: [UInt8]) {
        if run.start > 0, bytes[run.start - 1] == UInt8(ascii: "(") { run.start -= 1 }
        if run.start > 0, bytes[run.start - 1] == UInt8(ascii: "+") {
            run.start -= 1
            run.hasPlus = true
        } else if run.start > 2, Array(bytes[run.start - 3..<run.start]) == [0xEF, 0xBC, 0x8B] {
            run.start -= 3
            run.hasPlus = true
        }
    }

    /// Where the next group begins, if up to three separators lead to one.
    private static func nextGroup(in bytes: [UInt8], after place: Int) -> Int? {
        var next = place
        for _ in 0..<3 {
            guard let length = separator(in: bytes, at: next) else { break }
            next += length
        }
        return next > place && digit(in: bytes, at: next) != nil ? next : nil
    }

    /// The value of a digit, of ASCII or full width, and how many bytes it has.
    private static func digit(in bytes: [UInt8], at place: Int) -> (UInt8, Int)? {
        guard place < bytes.count else { return nil }
        if (0x30...0x39).contains(bytes[place]) { return (bytes[place] - 0x30, 1) }
        guard place + 2 < bytes.count, bytes[place] == 0xEF, bytes[place + 1] == 0xBC,
            (0x90...0x99).contains(bytes[place + 2])
        else { return nil }
        return (bytes[place + 2] - 0x90, 3)
    }

    /// How many bytes a separator has: space, hyphen, dot, slash, brackets, a space that does not break,
    /// dashes, hyphens of full width.
    private static func separator(in bytes: [UInt8], at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        if " -./()".utf8.contains(bytes[place]) { return 1 }
        for mark in Self.marks where bytes[place...].starts(with: mark) { return mark.count }
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
        "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{30FC}", "\u{FF0D}", "\u{2212}",
    ].map { Array($0.utf8) }

    private static let marks: [[UInt8]] =
        hyphens
        + ["\u{A0}", "\u{202F}", "\u{3000}", "\u{FF08}", "\u{FF09}"].map { Array($0.utf8) }
}
