/// Finds numbers of payment cards, accounts and phones in a text.
enum NumberScan {
    /// Digits that stand together.
    struct Group {
        /// Their values.
        var digits: [UInt8]
        /// Where they stand.
        var range: Range<Int>
        /// The separators before it; empty for the first group of a run.
        var gap: [UInt8] = []
        /// Whether more than hyphens and dots stands between it and the group before: another number may begin.
        var isApart = true
        /// Whether the gap has a separator that only numbers of cards go on behind, such as a line break, or is wide.
        var isBroken = false
        /// Whether an opening bracket stands right before it.
        var isBracketed = false
    }

    /// Groups with nothing but separators between them, and what stands around.
    struct Run {
        /// The groups in their order.
        var groups: [Group] = []
        /// Whether a plus sign leads it.
        var hasPlus = false
        /// Where the plus sign or the opening bracket stands.
        var start = 0
        /// Whether a letter of a word that is not about phones stands right before the first group.
        var beginsInWord = false
        /// The same right after the last one.
        var endsInWord = false
        /// Whether a number sign or a hyphen stands right before it, as in order numbers.
        var isNumbered = false
        /// Whether a word or a sign for phones leads it, as in `Tel. 555 1234`.
        var isLabelled = false
    }

    /// The places of all numbers, in order; they do not overlap.
    static func numbers(in bytes: [UInt8]) -> [(range: Range<Int>, kind: Blanking.Kind)] {
        let accounts = AccountScan.ranges(in: bytes)
        var restOfAccounts = accounts[...]
        var cardRanges = accounts
        for run in runs(in: bytes, across: .cards) {
            let isAccount = groups(of: run, in: &restOfAccounts)
            cardRanges += cards(in: run, besides: isAccount)
        }
        cardRanges.sort { $0.lowerBound < $1.lowerBound }
        var found: [(range: Range<Int>, kind: Blanking.Kind)] = []
        for range in cardRanges { found.append((range, .cards)) }
        var rest = cardRanges[...]
        for run in runs(in: bytes, across: .phones) {
            let isCard = groups(of: run, in: &rest)
            for range in phones(in: run, besides: isCard) { found.append((range, .phones)) }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Cards

    /// The numbers of cards among the groups of a run, each as long as it can be; groups of accounts are none of them.
    private static func cards(in run: Run, besides isAccount: [Bool]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var isUsed = isAccount
        // Those in the groups of cards are first: with what stands before them their digits may be another number.
        for areGrouped in [true, false] {
            // Days of a span are no card's groups.
            let isOther =
                areGrouped ? isUsed : zip(isUsed, dates(in: run)).map { $0 || $1 }
            var first = 0
            while first < run.groups.count {
                guard
                    let last = lastOfCard(
                        from: first, in: run, besides: isOther, isGrouped: areGrouped)
                else {
                    first += 1
                    continue
                }
                found.append(
                    run.groups[first].range.lowerBound..<run.groups[last].range.upperBound)
                for place in first...last { isUsed[place] = true }
                first = last + 1
            }
        }
        return found
    }

    /// The last group of the longest number of a card that begins with a group.
    ///
    /// - Parameter isGrouped: whether one is wanted that has, or begins with, the groups of cards.
    private static func lastOfCard(
        from first: Int, in run: Run, besides isOther: [Bool], isGrouped: Bool
    ) -> Int? {
        var digits: [UInt8] = []
        var counts: [Int] = []
        var isBroken = false
        var hasForm = false
        var end: Int?
        for last in first..<run.groups.count {
            guard !isOther[last] else { break }
            let group = run.groups[last]
            isBroken = isBroken || last > first && group.isBroken
            digits += group.digits
            counts.append(group.digits.count)
            if digits.count > 19 { break }
            // No card begins with a zero, as phone numbers do.
            guard digits.count >= 13, digits[0] != 0, isChecked(digits) else { continue }
            let isForm =
                cardForms.contains(counts) && (2...6).contains(digits[0])
                && !isYears(run.groups[first...last])
            if isBroken, !isForm { continue }
            // 15 digits are the most of a phone number behind a plus sign.
            if first == 0, run.hasPlus, digits.count <= 15, !isForm { continue }
            hasForm = hasForm || isForm || counts.count == 1
            end = last
        }
        return isGrouped && !hasForm ? nil : end
    }

    /// How digits of cards are grouped: a column of other numbers is no card's.
    private static let cardForms: [[Int]] = [
        [4, 4, 4, 4], [4, 6, 5], [4, 6, 4], [8, 8], [6, 13],
    ]

    /// Whether groups are years of our time, as a column or a row of a table has them.
    private static func isYears(_ groups: ArraySlice<Group>) -> Bool {
        groups.allSatisfy {
            $0.digits.count == 4 && [[1, 9], [2, 0]].contains($0.digits.prefix(2))
        }
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

    /// Which groups of a run stand in one of the ranges, which are in order; ranges before the run are dropped.
    private static func groups(of run: Run, in rest: inout ArraySlice<Range<Int>>) -> [Bool] {
        var isInside: [Bool] = []
        for group in run.groups {
            while let next = rest.first, next.upperBound <= group.range.lowerBound {
                rest.removeFirst()
            }
            isInside.append(rest.first?.overlaps(group.range) ?? false)
        }
        return isInside
    }
}
