import DeskModel

/// What holds after the last change of a zone's table: standard time, and perhaps summer time between two
/// days of each year; the footer of a zone's file (RFC 8536 3.3.1, POSIX `TZ`).
struct YearlyRule: Hashable {
    /// A day of each year, and the second of it by the clock that ends then.
    struct Turn: Hashable {
        enum Day: Hashable {
            /// 1 to 365; 29 February is never counted.
            case julian(Int)
            /// 0 to 365, with 29 February.
            case ofYear(Int)
            /// The n-th weekday (0 for Sunday) of a month; 5 for the last.
            case weekday(month: Int, week: Int, weekday: Int)
        }

        let day: Day
        let second: Int

        /// The local second since 1970 in a year, by the clock that ends then.
        func second(in year: Int) -> Int { days(in: year) * 86_400 + second }

        private func days(in year: Int) -> Int {
            let start = CivilDate(year: year, month: 1, day: 1).daysSince1970
            switch day {
            case .ofYear(let number): return start + number
            case .julian(let number):
                let isLeap = CivilDate(daysSince1970: start + 59).day == 29
                return start + number - (isLeap && number >= 60 ? 0 : 1)
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1).daysSince1970
                let next =
                    month == 12
                    ? CivilDate(year: year + 1, month: 1, day: 1).daysSince1970
                    : CivilDate(year: year, month: month + 1, day: 1).daysSince1970
                let ahead = (weekday - CivilDate.weekday(daysSince1970: first) + 7) % 7
                let day = first + ahead + (week - 1) * 7
                return day < next ? day : day - 7
            }
        }
    }

    /// Seconds east of UTC in standard time.
    let standard: Int
    /// Summer time: its offset, and the days on which it begins and ends.
    let summer: Summer?

    struct Summer: Hashable {
        let offset: Int
        let begin: Turn
        let end: Turn
    }

    func offset(at seconds: Int) -> Int {
        guard summer != nil else { return standard }
        return changes(around: seconds).last { $0.at <= seconds }?.offset ?? standard
    }

    func nextChange(after seconds: Int) -> Int? {
        guard summer != nil else { return nil }
        return changes(around: seconds).first { $0.at > seconds }?.at
    }

    /// The changes of the year of a moment, of the one before and of the one after, in order.
    private func changes(around seconds: Int) -> [ZoneRules.Change] {
        guard let summer else { return [] }
        let day = CivilDate.divide(seconds, by: 86_400).quotient
        let year = CivilDate(daysSince1970: day).year
        return (year - 1...year + 1).flatMap { year in
            [
                ZoneRules.Change(
                    at: summer.begin.second(in: year) - standard, offset: summer.offset),
                ZoneRules.Change(
                    at: summer.end.second(in: year) - summer.offset, offset: standard),
            ]
        }.sorted { $0.at < $1.at }
    }
}

extension YearlyRule {
    /// Reads a footer such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else.
    init?(_ text: [UInt8]) {
        var reader = FooterReader(bytes: text)
        guard reader.skipName(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = -west + 3_600
        if !reader.isNext(",") {
            guard let other = reader.time() else { return nil }
            offset = -other
        }
        guard reader.take(","), let begin = reader.turn(), reader.take(","),
            let end = reader.turn(), reader.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, begin: begin, end: end)
    }
}

/// Reads the parts of a footer.
private struct FooterReader {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    func isNext(_ scalar: Unicode.Scalar) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: scalar)
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard isNext(scalar) else { return false }
        place += 1
        return true
    }

    /// `CET`, or `<+03>` where the name has other signs than letters.
    mutating func skipName() -> Bool {
        let start = place
        if take("<") {
            while !isAtEnd, !isNext(">") { place += 1 }
            return take(">")
        }
        while !isAtEnd, isLetter(bytes[place]) { place += 1 }
        return place > start
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Up to three digits.
    mutating func number() -> Int? {
        var value: Int?
        for _ in 0..<3 {
            guard place < bytes.count,
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
            else { break }
            value = (value ?? 0) * 10 + Int(bytes[place] - UInt8(ascii: "0"))
            place += 1
        }
        return value
    }

    /// `[+-]h[:mm[:ss]]` in seconds.
    mutating func time() -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number() else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where take(":") {
            guard let part = number() else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `Mm.w.d`, `Jn` or `n`, and `/time` where it is not two in the night.
    mutating func turn() -> YearlyRule.Turn? {
        let day: YearlyRule.Turn.Day
        if take("M") {
            guard let month = number(), (1...12).contains(month), take("."),
                let week = number(), (1...5).contains(week), take("."),
                let weekday = number(), (0...6).contains(weekday)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if take("J") {
            guard let number = number(), (1...365).contains(number) else { return nil }
            day = .julian(number)
        } else {
            guard let number = number(), (0...365).contains(number) else { return nil }
            day = .ofYear(number)
        }
        guard take("/") else { return YearlyRule.Turn(day: day, second: 7_200) }
        guard let second = time() else { return nil }
        return YearlyRule.Turn(day: day, second: second)
    }
}
