import DeskCalendar
import DeskModel
import TestSupport
import Testing

@testable import DeskTeam

/// What an agent is notified of, and when not.
struct NoticeChoicesTests {
    private static let zones = TimeZones()

    @Test func `what was not chosen is as usual, and a choice counts more`() {
        let usual = NoticeChoices(zones: Self.zones)
        let off = NoticeReason.allCases.filter { !usual.wants($0) }
        #expect(off == [.closed, .renamed])
        let chosen = NoticeChoices([.closed: true, .mine: false], zones: Self.zones)
        #expect(chosen.wants(.closed) && !chosen.wants(.mine) && chosen.wants(.mention))
    }

    /// `dawn` is a day in UTC; Berlin is one or two hours ahead, Tokyo nine, Kathmandu five and three quarters.
    @Test(
        arguments: [
            ("20:00", "08:00", 21, 0, "UTC", true), ("20:00", "08:00", 7, 59, "UTC", true),
            ("20:00", "08:00", 8, 0, "UTC", false), ("20:00", "08:00", 20, 0, "UTC", true),
            ("12:00", "13:00", 12, 0, "UTC", true), ("12:00", "13:00", 12, 59, "UTC", true),
            ("12:00", "13:00", 13, 0, "UTC", false), ("12:00", "13:00", 11, 59, "UTC", false),
            ("12:00", "12:00", 12, 0, "UTC", false),
            ("12:00", "13:00", 3, 30, "Asia/Tokyo", true),
            ("00:00", "01:00", 15, 30, "Asia/Tokyo", true),
            ("12:00", "13:00", 12, 30, "Asia/Tokyo", false),
            ("12:00", "12:30", 6, 20, "Asia/Kathmandu", true),
            ("12:00", "13:00", 12, 30, "Nowhere/Land", false),
        ] as [(String, String, Int, Int, String, Bool)])
    func `quiet hours are by the clocks of the browser's zone, and may go over midnight`(
        _ from: String, _ until: String, _ hour: Int, _ minute: Int, _ zone: String,
        _ isQuiet: Bool
    ) throws {
        let choices = NoticeChoices(
            quiet: NoticeChoices.Quiet(from: from, until: until), zones: Self.zones)
        let day = CivilDate(year: 2026, month: 11, day: 29).daysSince1970
        let moment = Timestamp(
            milliseconds: Int64(((day * 24 + hour) * 60 + minute) * 60_000 + 59_999))
        #expect(choices.isQuiet(at: moment, in: zone) == isQuiet)
        #expect(!NoticeChoices(zones: Self.zones).isQuiet(at: moment, in: zone))
    }
}
