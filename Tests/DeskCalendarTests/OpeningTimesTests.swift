import DeskModel
import Testing

@testable import DeskCalendar

@Suite struct OpeningTimesTests {
    private typealias Interval = BusinessHours.Interval

    private static let zones = TimeZones()

    private static func times(
        _ zone: String, _ week: [[BusinessHours.Interval]],
        _ holidays: [BusinessHours.Holiday] = []
    ) throws -> OpeningTimes {
        OpeningTimes(
            BusinessHours(timeZone: zone, week: week, holidays: holidays),
            try #require(zones.rules(of: zone)))
    }

    private static func moment(_ text: String) throws -> Timestamp {
        try #require(Timestamp(text))
    }

    /// Monday to Friday with a break; nothing on the weekend.
    private static let office =
        Array(
            repeating: [Interval(from: 540, to: 750), Interval(from: 810, to: 1_080)], count: 5)
        + [[], []]

    @Test(arguments: [
        ("2026-11-23T07:59:59Z", false, "2026-11-23T08:00:00Z"),
        ("2026-11-23T08:00:00Z", true, "2026-11-23T11:30:00Z"),
        ("2026-11-23T11:30:00Z", false, "2026-11-23T12:30:00Z"),
        ("2026-11-27T17:00:00.500Z", false, "2026-11-30T08:00:00Z"),
        ("2026-12-24T12:00:00Z", false, "2026-12-24T12:30:00Z"),
        ("2026-12-24T17:00:00Z", false, "2026-12-28T08:00:00Z"),
    ])
    func `hours with a break and holidays are open when they say`(
        time: String, isOpen: Bool, change: String
    ) throws {
        let christmas = BusinessHours.Holiday(
            date: CivilDate(year: 2026, month: 12, day: 25), name: "Christmas", open: [])
        let times = try Self.times("Europe/Berlin", Self.office, [christmas])
        let moment = try Self.moment(time)
        #expect(times.isOpen(at: moment) == isOpen)
        #expect(times.nextChange(after: moment) == (try Self.moment(change)))
        #expect(
            times.opening(from: moment) == (isOpen ? moment : try Self.moment(change)))
    }

    @Test func `intervals that touch over midnight are one opening`() throws {
        let night = [Interval(from: 0, to: 360), Interval(from: 1_320, to: 1_440)]
        let times = try Self.times("Asia/Tokyo", Array(repeating: night, count: 7))
        let evening = try Self.moment("2026-11-23T14:00:00Z")
        #expect(times.isOpen(at: evening))
        #expect(times.nextChange(after: evening) == (try Self.moment("2026-11-23T21:00:00Z")))
    }

    @Test func `what never opens or never closes has no change`() throws {
        let never = try Self.times("UTC", Array(repeating: [], count: 7))
        let always = try Self.times(
            "UTC", Array(repeating: [Interval(from: 0, to: 1_440)], count: 7))
        let now = try Self.moment("2026-11-23T14:00:00Z")
        #expect(!never.isOpen(at: now) && never.nextChange(after: now) == nil)
        #expect(never.opening(from: now) == nil)
        #expect(never.moment(after: .seconds(60), from: now) == nil)
        #expect(always.isOpen(at: now) && always.nextChange(after: now) == nil)
        #expect(
            always.moment(after: .seconds(60), from: now) == now.advanced(by: .seconds(60)))
    }

    @Test func `time is counted while it is open`() throws {
        let times = try Self.times("Europe/Berlin", Self.office)
        // Ten minutes on Friday evening, the rest on Monday.
        let friday = try Self.moment("2026-11-27T16:50:00.250Z")
        #expect(
            times.moment(after: .seconds(1_800), from: friday)
                == (try Self.moment("2026-11-30T08:20:00.250Z")))
        #expect(
            times.moment(after: .seconds(300), from: friday)
                == (try Self.moment("2026-11-27T16:55:00.250Z")))
        let night = try Self.moment("2026-11-27T23:00:00Z")
        #expect(
            times.moment(after: .seconds(60), from: night)
                == (try Self.moment("2026-11-30T08:01:00Z")))
    }

    @Test func `time that is open for a minute a week is counted for two years, not for centuries`()
        throws
    {
        let times = try Self.times(
            "Europe/Berlin", [[Interval(from: 540, to: 541)]] + Array(repeating: [], count: 6))
        let monday = try Self.moment("2026-11-30T08:00:00Z")
        #expect(
            times.moment(after: .seconds(60 * 60), from: monday)
                == (try Self.moment("2028-01-17T08:01:00Z")))
        #expect(times.moment(after: .seconds(43_200 * 60), from: monday) == nil)
    }

    /// The days on which clocks are changed, and two without.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-28T12:00:00Z"), ("Europe/Berlin", "2026-10-24T12:00:00Z"),
        ("America/New_York", "2026-03-07T12:00:00Z"),
        ("America/New_York", "2026-10-31T12:00:00Z"),
        ("Australia/Lord_Howe", "2026-04-04T00:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-03T00:00:00Z"),
        ("Asia/Tokyo", "2026-03-28T12:00:00Z"),
    ])
    func `every minute around a change of clocks is as the clock on the wall says`(
        zone: String, start: String
    ) throws {
        // The second begins in the hour that is skipped or shown twice, the third touches it.
        let day = [
            Interval(from: 90, to: 105), Interval(from: 135, to: 165), Interval(from: 180, to: 200),
        ]
        let times = try Self.times(zone, Array(repeating: day, count: 7))
        let rules = try #require(Self.zones.rules(of: zone))
        let first = try Self.moment(start)
        let minutes = (0..<2_160).map { first.advanced(by: .seconds($0 * 60)) }
        let isOpen = minutes.map { moment in
            let local = CivilDate.divide(
                Int(moment.milliseconds / 1_000) + rules.offset(at: moment), by: 86_400
            ).rest
            return day.contains { ($0.from * 60..<$0.to * 60).contains(local) }
        }
        for (place, moment) in minutes.enumerated() {
            #expect(times.isOpen(at: moment) == isOpen[place], "\(moment)")
            let next = isOpen[place...].firstIndex(of: !isOpen[place])
            guard let next else { continue }
            #expect(times.nextChange(after: moment) == minutes[next], "\(moment)")
        }
    }
}
