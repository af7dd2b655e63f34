import DeskCalendar
import DeskModel
import DeskStore
import Testing

@testable import DeskTeam

/// Days and hours of time zones, with their shorter and longer ones.
struct ReportPeriodTests {
    private static func zone(_ name: String) throws -> ZoneRules {
        try #require(TimeZones().rules(of: name), "\(name): tzdata is missing")
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        CivilDate(year: year, month: month, day: day).daysSince1970
    }

    /// Zone, day, its minutes, and its first moment.
    private static let days: [(String, (Int, Int, Int), Int, String)] = [
        ("UTC", (2026, 2, 1), 1_440, "2026-02-01T00:00:00Z"),
        ("Asia/Tokyo", (2026, 11, 1), 1_440, "2026-10-31T15:00:00Z"),
        ("Europe/Berlin", (2026, 3, 29), 1_380, "2026-03-28T23:00:00Z"),
        ("Europe/Berlin", (2026, 10, 25), 1_500, "2026-10-24T22:00:00Z"),
        ("America/New_York", (2026, 11, 1), 1_500, "2026-11-01T04:00:00Z"),
        ("America/New_York", (2026, 3, 8), 1_380, "2026-03-08T05:00:00Z"),
        // Half an hour.
        ("Australia/Lord_Howe", (2026, 4, 5), 1_470, "2026-04-04T13:00:00Z"),
        ("Asia/Kathmandu", (2026, 5, 5), 1_440, "2026-05-04T18:15:00Z"),
        // The clock is put forward at midnight: the day begins at one.
        ("America/Santiago", (2026, 9, 6), 1_380, "2026-09-06T04:00:00Z"),
        // Behind the changes that the file lists.
        ("Europe/Berlin", (2060, 3, 28), 1_380, "2060-03-27T23:00:00Z"),
        ("Australia/Sydney", (2060, 10, 3), 1_380, "2060-10-02T14:00:00Z"),
        ("Australia/Sydney", (2061, 1, 1), 1_440, "2060-12-31T13:00:00Z"),
    ]

    @Test(arguments: days)
    func `a day begins at its midnight and has its hours`(
        name: String, date: (Int, Int, Int), minutes: Int, begin: String
    ) throws {
        let zone = try Self.zone(name)
        let day = Self.day(date.0, date.1, date.2)
        let period = ReportPeriod(from: day, to: day, in: zone)
        #expect(period.begin == Timestamp(begin))
        #expect(period.end.since(period.begin) == .seconds(minutes * 60))
        #expect(zone.date(at: period.begin).daysSince1970 == day)
        #expect(zone.date(at: period.begin.advanced(by: .seconds(-1))).daysSince1970 == day - 1)
        #expect(period.rows(.day).count == 1)
        #expect(period.rows(.hour).count == (minutes + 59) / 60)
        // Every row begins with a slot of the counters.
        for row in period.rows(.hour) { #expect(ReportKey.slot(of: row) == row) }
    }

    @Test func `what happened is put into the row of its time, and none is lost`() throws {
        let zone = try Self.zone("Europe/Berlin")
        let day = Self.day(2026, 10, 25)
        let period = ReportPeriod(from: day - 1, to: day + 1, in: zone)
        var one = ReportCounts()
        one.begun = 1
        var slots: [ReportSlot] = []
        var time = period.begin
        while time < period.end {
            slots.append(ReportSlot(time, one))
            time = time.advanced(by: ReportKey.slot)
        }
        let counts = ReportPeriod.counts(slots, in: period.rows(.day))
        #expect(counts.map(\.begun) == [96, 100, 96])
        let hours = ReportPeriod.counts(slots, in: period.rows(.hour))
        #expect(hours.map(\.begun) == Array(repeating: 4, count: 73))
        #expect(period.previous.dayCount == 3 && period.previous.end == period.begin)
    }
}
