package import DeskModel

/// When a business answers: by the clocks of its time zone, on the days of a week, with holidays.
package struct BusinessHours: Hashable, Sendable {
    /// Most intervals of one day; one more is refused.
    package static let mostIntervals = 12
    /// Most holidays; one more is refused.
    package static let mostHolidays = 200
    /// Longest name of a holiday in bytes of UTF-8.
    package static let maximumHolidayBytes = 120

    /// A part of a day by the clocks of the zone, in minutes since midnight; `to` is not in it.
    package struct Interval: Hashable, Sendable {
        /// 0 to 1439.
        package let from: Int
        /// 1 to 1440.
        package let to: Int

        /// Puts the two together; `from` is below `to`.
        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// A date on which other hours hold than on its weekday.
    package struct Holiday: Hashable, Sendable {
        /// The date.
        package let date: CivilDate
        /// What people call it; may be empty.
        package let name: String
        /// When it is open all the same; none for all day closed.
        package let open: [Interval]

        /// Describes a holiday.
        package init(date: CivilDate, name: String, open: [Interval]) {
            self.date = date
            self.name = name
            self.open = open
        }
    }

    /// The days of the week in the order of `week`.
    package static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// The zone's name in the IANA database.
    package let timeZone: String
    /// The open intervals of the seven days from Monday on; those of a day are in order and do not
    /// overlap.
    package let week: [[Interval]]
    /// In the order of their dates, each date once.
    package let holidays: [Holiday]

    /// Puts hours together.
    package init(timeZone: String, week: [[Interval]], holidays: [Holiday] = []) {
        self.timeZone = timeZone
        self.week = week
        self.holidays = holidays
    }
}

/// Hours by the rules of their zone: whether it is open at a moment, and when that changes.
///
/// It is open at a moment exactly when the clock on the wall shows a time within an interval of its date:
/// an hour that the clocks show twice is open twice, one that they skip is not there.
package struct OpeningTimes: Sendable {
    /// Days that are looked through for a change.
    package static let daysAhead = 370
    /// Days in which open time is counted; what needs more of them is never over.
    ///
    /// Who is open for a minute a week would have 30 days of it after eight centuries, and each minute would be looked
    /// for.
    package static let daysCounted = 2 * daysAhead

    private let hours: BusinessHours
    private let rules: ZoneRules
    private let holidays: [CivilDate: [BusinessHours.Interval]]

    /// Puts hours and the rules of their zone together.
    package init(_ hours: BusinessHours, _ rules: ZoneRules) {
        self.hours = hours
        self.rules = rules
        holidays = Dictionary(hours.holidays.map { ($0.date, $0.open) }) { first, _ in first }
    }

    /// Whether it is open at a moment.
    package func isOpen(at moment: Timestamp) -> Bool { isOpen(at: moment.wholeSeconds) }

    /// The first moment after another at which it opens or closes; nil where there is none within
    /// `daysAhead`.
    package func nextChange(after moment: Timestamp) -> Timestamp? {
        let isOpenNow = isOpen(at: moment)
        var seconds = moment.wholeSeconds
        let end = seconds + Self.daysAhead * 86_400
        while seconds < end {
            seconds = nextBoundary(after: seconds)
            if isOpen(at: seconds) != isOpenNow { return Timestamp(seconds: Int64(seconds)) }
        }
        return nil
    }

    /// The next moment at which it is open: the moment itself where it is open then; nil where there is
    /// none within `daysAhead`.
    package func opening(from moment: Timestamp) -> Timestamp? {
        isOpen(at: moment) ? moment : nextChange(after: moment)
    }

    /// The moment until which it was open for so long since another; nil where that is never within
    /// `daysCounted`, or `daysAhead` of a change.
    package func moment(after open: Duration, from start: Timestamp) -> Timestamp? {
        let end = start.advanced(by: .seconds(Self.daysCounted * 86_400))
        var rest = open
        var moment = start
        while let opened = opening(from: moment), opened < end {
            guard let closes = nextChange(after: opened), closes.since(opened) < rest else {
                return opened.advanced(by: rest)
            }
            rest -= closes.since(opened)
            moment = closes
        }
        return nil
    }

    private func intervals(ofDay day: Int) -> [BusinessHours.Interval] {
        let date = CivilDate(daysSince1970: day)
        return holidays[date] ?? hours.week[(CivilDate.weekday(daysSince1970: day) + 6) % 7]
    }

    private func isOpen(at seconds: Int) -> Bool {
        let (day, second) = CivilDate.divide(seconds + rules.offset(at: seconds), by: 86_400)
        return intervals(ofDay: day).contains {
            ($0.from * 60..<$0.to * 60).contains(second)
        }
    }

    /// The next moment at which an interval begins or ends, a day does, or the clocks are changed.
    private func nextBoundary(after seconds: Int) -> Int {
        let offset = rules.offset(at: seconds)
        let (day, second) = CivilDate.divide(seconds + offset, by: 86_400)
        let bounds = intervals(ofDay: day).flatMap { [$0.from * 60, $0.to * 60] }
        let next = bounds.filter { $0 > second }.min() ?? 86_400
        let boundary = seconds + next - second
        return min(boundary, rules.nextChange(after: seconds) ?? boundary)
    }
}
