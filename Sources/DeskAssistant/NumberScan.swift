import DeskBytes

/// Finds numbers of payment cards and phones in a text.
enum NumberScan {
    /// Digits that stand together.
    private struct Group {
        var digits: [UInt8]
        var range: Range<Int>
    }

    /// Groups with nothing but separators between them, and what stands around.
    private struct Run {
        var groups: [Group] = []
        var hasPlus = false
        /// Where the plus sign or the opening bracket stands.
        var start = 0
        var isInWord = false
    }

    /// The places of all numbers, in order; they do not overlap.
    static func numbers(in bytes: [UInt8]) -> [(range: Range<Int>, kind: Blanking.Kind)] {
        var found: [(range: Range<Int>, kind: Blanking.Kind)] = []
        for run in runs(in: bytes) {
            let cards = cards(in: run)
            found += cards.map { ($0, .cards) }
            if cards.isEmpty, let phone = phone(run) { found.append((phone, .phones)) }
        }
        return found
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

    /// The place of a phone number that a run is; nil for other numbers, such as dates and amounts.
    private static func phone(_ run: Run) -> Range<Int>? {
        guard !run.isInWord, let first = run.groups.first, let last = run.groups.last else {
            return nil
        }
        let counts = run.groups.map(\.digits.count)
        let count = counts.reduce(0, +)
        let whole = run.start..<last.range.upperBound
        if run.hasPlus { return (7...15).contains(count) ? whole : nil }
        // With the digit that national numbers begin with; 00 leads abroad.
        if first.digits[0] == 0 {
            let most = first.digits.starts(with: [0, 0]) ? 17 : 11
            return (9...most).contains(count) ? whole : nil
        }
        // As in North America.
        return counts == [3, 3, 4] || counts == [1, 3, 3, 4] && first.digits == [1] ? whole : nil
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
                run.isInWord = isLetter(run.start - 1)
                addLead(of: &run, in: bytes)
            }
            run.groups.append(group)
            place = group.range.upperBound
            if let next = nextGroup(in: bytes, after: place) {
                place = next
            } else {
                if isLetter(place) { run.isInWord = true }
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

    private static let marks: [[UInt8]] = [
        "\u{A0}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{202F}", "\u{30FC}",
        "\u{FF0D}", "\u{2212}", "\u{3000}", "\u{FF08}", "\u{FF09}",
    ].map { Array($0.utf8) }
}
