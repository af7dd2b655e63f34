import DeskBytes

/// Numbers of phones.
extension NumberScan {
    /// Most digits of a phone number, those that lead abroad included.
    private static let mostDigits = 17

    /// The places of phone numbers among the groups of a run, each as long as it can be; other numbers, such as dates,
    /// amounts and cards, may stand before and behind them.
    static func phones(in run: Run, besides isCard: [Bool]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var first = 0
        let isOther = zip(isCard, dates(in: run)).map { $0 || $1 }
        while first < run.groups.count {
            guard let last = lastOfPhone(from: first, in: run, besides: isOther) else {
                first += 1
                continue
            }
            let start = first == 0 ? run.start : run.groups[first].range.lowerBound
            found.append(start..<run.groups[last].range.upperBound)
            first = last + 1
        }
        return found
    }

    /// The last group of the longest phone number that begins with a group.
    private static func lastOfPhone(
        from first: Int, in run: Run, besides isOther: [Bool]
    ) -> Int? {
        guard first == 0 ? !run.beginsInWord : run.groups[first].isApart else { return nil }
        var found: Int?
        var count = 0
        for last in first..<min(run.groups.count, first + mostDigits) {
            guard !isOther[last] else { break }
            count += run.groups[last].digits.count
            guard count <= mostDigits else { break }
            let isEnd =
                last + 1 < run.groups.count ? run.groups[last + 1].isApart : !run.endsInWord
            guard isEnd, count >= 7, isPhone(run.groups[first...last], of: run) else { continue }
            found = last
        }
        return found
    }

    /// Whether groups are a phone number: with a plus sign, with the zero that leads in many countries, or in a form
    /// that a country has without it.
    private static func isPhone(_ groups: ArraySlice<Group>, of run: Run) -> Bool {
        guard let first = groups.first else { return false }
        let counts = groups.map(\.digits.count)
        let count = counts.reduce(0, +)
        let isFirst = groups.startIndex == 0
        if isFirst && run.hasPlus { return (7...15).contains(count) }
        // A time behind the word for phones has no three digits together.
        if isFirst, run.isLabelled, (7...15).contains(count), counts.contains(where: { $0 >= 3 }) {
            return true
        }
        if first.digits[0] == 0 {
            // 00 leads abroad, in North America 011.
            let leadsAbroad = first.digits.starts(with: [0, 0]) || first.digits == [0, 1, 1]
            return (9...(leadsAbroad ? mostDigits : 12)).contains(count)
        }
        // Japan's, with the country's digits but without the plus sign.
        if counts == [2, 2, 4, 4] || counts == [2, 1, 4, 4] { return first.digits == [8, 1] }
        guard (10...11).contains(count) else { return false }
        if counts.count == 1 {
            return !(isFirst && run.isNumbered) && isWholePhone(first.digits)
        }
        return isGroupedPhone(groups, counts)
    }

    /// Forms of 10 or 11 digits in groups.
    private static func isGroupedPhone(_ groups: ArraySlice<Group>, _ counts: [Int]) -> Bool {
        let digits = groups.flatMap(\.digits)
        let isBracketed = groups.first?.isBracketed == true
        // North America, and Russia's with the digit 8 or 7.
        if counts == [3, 3, 4] { return true }
        if counts == [1, 3, 3, 4] { return digits[0] == 1 || digits[0] == 8 }
        if counts == [1, 3, 3, 2, 2] { return digits[0] == 8 || digits[0] == 7 }
        // India, China and Brazil.
        if counts == [5, 5] { return digits[0] >= 6 }
        if counts == [3, 4, 4] { return digits[0] == 1 && digits[1] >= 3 }
        if counts == [2, 4, 4] { return isBracketed }
        if counts == [2, 5, 4] {
            return digits[2] == 9 && (isBracketed || groups.last?.isApart == false)
        }
        return false
    }

    /// Forms of 10 or 11 digits that stand together.
    private static func isWholePhone(_ digits: [UInt8]) -> Bool {
        if digits.count == 10 {
            return digits[0] >= 6 || isNorthAmerican(digits) && !beginsWithDay(digits)
        }
        if digits[0] == 1 {
            return digits[1] >= 3 || isNorthAmerican(Array(digits.dropFirst()))
        }
        return digits.starts(with: [8, 9])
    }

    /// Whether area and exchange, of ten digits, can be some.
    private static func isNorthAmerican(_ digits: [UInt8]) -> Bool {
        digits[0] >= 2 && digits[1] != 9 && digits[3] >= 2
            && !(digits[4] == 1 && digits[5] == 1)
    }

    /// Whether digits begin with a day such as 20251104, as many order numbers do.
    private static func beginsWithDay(_ digits: [UInt8]) -> Bool {
        let month = digits[4] * 10 + digits[5]
        let day = digits[6] * 10 + digits[7]
        return digits.starts(with: [2, 0]) && (1...12).contains(month) && (1...31).contains(day)
    }

    // MARK: Dates

    /// Which groups of a run stand in a date.
    static func dates(in run: Run) -> [Bool] {
        var isInside = Array(repeating: false, count: run.groups.count)
        guard run.groups.count >= 3 else { return isInside }
        for first in 0...run.groups.count - 3 where !isInside[first] && fitsDate(first, run) {
            for place in first...first + 2 { isInside[place] = true }
        }
        return isInside
    }

    /// Whether three groups are a date such as 05/12/2026, 5.12.26 or 2026-12-05.
    private static func fitsDate(_ first: Int, _ run: Run) -> Bool {
        if first == 0, run.hasPlus { return false }
        let mark = run.groups[first + 1].gap
        let (slash, dot, hyphen) = (UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"))
        guard mark == [slash] || mark == [dot] || mark == [hyphen],
            run.groups[first + 2].gap == mark,
            // More groups with the same mark are another number.
            first == 0 || run.groups[first].gap != mark,
            first + 3 == run.groups.count || run.groups[first + 3].gap != mark
        else { return false }
        let parts = run.groups[first...first + 2].map(\.digits)
        guard parts.allSatisfy({ $0.count <= 4 }) else { return false }
        let values = parts.map { $0.reduce(0) { $0 * 10 + Int($1) } }
        func isDay(_ place: Int) -> Bool {
            parts[place].count <= 2 && (1...31).contains(values[place])
        }
        func isYear(_ place: Int) -> Bool {
            parts[place].count == 4 && (1_900...2_099).contains(values[place])
        }
        if isYear(0) { return isDay(1) && isDay(2) && values[1] <= 12 }
        guard isDay(0), isDay(1), min(values[0], values[1]) <= 12 else { return false }
        return isYear(2) || parts[2].count == 2 && mark != [hyphen]
    }

    // MARK: Words beside numbers

    /// Whether the letters right before a number are a word that leads phone numbers, as in `TEL03-1234-5678`.
    static func isLedByWord(_ start: Int, in bytes: [UInt8]) -> Bool {
        leadingWords.contains(ASCII.lowercased(bytes[letters(before: start, in: bytes)]))
    }

    /// Whether the letters right behind a number are a word that follows phone numbers, as in `555-123-4567ext 9`.
    static func isFollowedByWord(_ end: Int, in bytes: [UInt8]) -> Bool {
        var place = end
        while place < bytes.count, place - end < mostLetters, ASCII.isLetter(bytes[place]) {
            place += 1
        }
        return followingWords.contains(ASCII.lowercased(bytes[end..<place]))
    }

    /// Whether a word, a sign or an address for phones leads a number, with a colon or its like between them, or words
    /// as in `Phone number is 612 345 678`.
    static func isLabelled(_ start: Int, in bytes: [UInt8]) -> Bool {
        var place = start
        for _ in 0...mostJoiningWords {
            place = marksOfLabel(before: place, in: bytes)
            if isLedByWord(place, in: bytes) { return true }
            if labels.contains(where: { ends(bytes, at: place, with: $0) }) { return true }
            let word = letters(before: place, in: bytes)
            guard joiningWords.contains(ASCII.lowercased(bytes[word])) else { return false }
            place = word.lowerBound
        }
        return false
    }

    /// Where the marks between a label and what stands at a place begin.
    private static func marksOfLabel(before end: Int, in bytes: [UInt8]) -> Int {
        var place = end
        for _ in 0..<mostMarksOfLabel {
            if place > 0, " .:=".utf8.contains(bytes[place - 1]) {
                place -= 1
            } else if let mark = labelMarks.first(where: { ends(bytes, at: place, with: $0) }) {
                place -= mark.count
            } else {
                break
            }
        }
        return place
    }

    /// The ASCII letters right before a place, no more than a word of these has.
    private static func letters(before end: Int, in bytes: [UInt8]) -> Range<Int> {
        var place = end
        while place > 0, end - place < mostLetters, ASCII.isLetter(bytes[place - 1]) {
            place -= 1
        }
        return place..<end
    }

    private static func ends(_ bytes: [UInt8], at place: Int, with end: [UInt8]) -> Bool {
        place >= end.count && bytes[(place - end.count)..<place].elementsEqual(end)
    }

    /// Marks between a label and its number.
    private static let mostMarksOfLabel = 4
    private static let labelMarks: [[UInt8]] = ["\u{FF1A}", "\u{3000}", "は", "\u{FE0F}"].map {
        Array($0.utf8)
    }
    /// Words beyond ASCII without their first letter, which may be a capital one.
    private static let labels: [[UInt8]] = [
        "電話", "電話番号", "携帯", "携帯番号", "ケータイ", "ＴＥＬ", "Ｔｅｌ", "ＦＡＸ", "电话", "电话号码", "手机", "手机号", "手机号码",
        "電話號碼", "手機", "手機號碼", "전화", "전화번호", "휴대폰", "핸드폰", "елефон", "eléfono", "éléphone",
        "☎", "☏", "📞", "📱", "wa.me/",
    ].map { Array($0.utf8) }

    /// More letters than a word of these has.
    private static let mostLetters = 16
    private static let leadingWords: [[UInt8]] = [
        "tel", "telefon", "telephone", "phone", "mobile", "mobil", "mob", "handy", "cell", "fax",
        "call", "sms", "whatsapp", "telefono", "telefone", "celular", "movil", "cellulare",
        "telefoon", "gsm", "telefonnummer", "handynummer", "rufnummer", "phonenumber",
    ].map { Array($0.utf8) }
    /// Words that may stand between one of these and its number.
    private static let joiningWords: [[UInt8]] = [
        "number", "no", "nr", "num", "nummer", "is", "ist",
    ].map { Array($0.utf8) }
    private static let mostJoiningWords = 2
    private static let followingWords: [[UInt8]] = ["ext", "extension", "x"].map { Array($0.utf8) }
}
