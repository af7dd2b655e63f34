package import DeskCalendar
public import DeskModel
public import DeskStore

/// Days of a time zone, cut into the rows of a report.
public struct ReportPeriod: Sendable {
    /// How long a row is.
    public enum Step: String, Sendable, CaseIterable {
        /// A day of the zone, of 23, 24 or 25 hours.
        case day
        /// An hour of the zone's clock.
        case hour
    }

    /// The first day, counted from 1970-01-01.
    public let firstDay: Int
    /// The last day.
    public let lastDay: Int
    /// The zone.
    package let zone: ZoneRules

    /// Puts a period together; `lastDay` is not before `firstDay`.
    package init(from firstDay: Int, to lastDay: Int, in zone: ZoneRules) {
        precondition(firstDay <= lastDay, "day \(lastDay) is before \(firstDay)")
        self.firstDay = firstDay
        self.lastDay = lastDay
        self.zone = zone
    }

    /// How many days.
    public var dayCount: Int { lastDay - firstDay + 1 }

    /// As many days before it.
    public var previous: ReportPeriod {
        ReportPeriod(from: firstDay - dayCount, to: firstDay - 1, in: zone)
    }

    /// When it begins.
    public var begin: Timestamp { begin(of: firstDay) }

    /// When it has ended.
    public var end: Timestamp { begin(of: lastDay + 1) }

    /// When each row begins; the last one ends with the period.
    public func rows(_ step: Step) -> [Timestamp] {
        switch step {
        case .day: return (firstDay...lastDay).map { begin(of: $0) }
        case .hour:
            let last = end
            var rows: [Timestamp] = []
            var row = begin
            while row < last {
                rows.append(row)
                let clock = Int(row.milliseconds / 1_000) + zone.offset(at: row)
                row = row.advanced(
                    by: .seconds(3_600 - CivilDate.divide(clock, by: 3_600).rest))
            }
            return rows
        }
    }

    private func begin(of day: Int) -> Timestamp {
        zone.start(of: CivilDate(daysSince1970: day))
    }

    /// What happened in each row; slots are in the period, by time.
    public static func counts(
        _ slots: [ReportSlot], in rows: [Timestamp]
    ) -> [ReportCounts] {
        var counts = Array(repeating: ReportCounts(), count: rows.count)
        var row = 0
        for slot in slots {
            while row + 1 < rows.count, rows[row + 1] <= slot.begin { row += 1 }
            counts[row] += slot.counts
        }
        return counts
    }
}
