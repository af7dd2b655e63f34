import DeskModel
import Testing

/// RFC 3339, both ways.
@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_250, "2100-02-28T23:59:59.250Z"),
            (1_785_402_900_007, "2026-07-30T09:15:00.007Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func `a moment is written and read back`(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2026-07-30T09:15:00+09:00", "2026-07-30T00:15:00.000Z"),
        ("2026-07-30t09:15:00.5z", "2026-07-30T09:15:00.500Z"),
        ("2026-07-30T09:15:00.123456789-00:30", "2026-07-30T09:45:00.123Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ])
    func `offsets, fractions and leap seconds are read`(_ text: String, _ utc: String) {
        #expect(Timestamp(text)?.text == utc)
    }

    @Test(arguments: [
        "", "2026-07-30", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-07-30T24:00:00Z",
        "2026-07-30T09:60:00Z", "2026-07-30T09:15:61Z", "2026-07-30T09:15:00", "2026-07-30T09:15Z",
        "2026-07-30T09:15:00.Z", "2026-07-30T09:15:00+9:00", "2026-07-30T09:15:00Z ",
        "+026-07-30T09:15:00Z", "\u{664}026-07-30T09:15:00Z",
    ])
    func `anything else is no moment`(_ text: String) { #expect(Timestamp(text) == nil) }

    @Test func `the end of time does not trap`() {
        #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
        let late = Timestamp(milliseconds: .max).advanced(by: .seconds(1))
        #expect(late < Timestamp(seconds: 0))
    }

    @Test func `durations add and subtract to the millisecond`() {
        let start = Timestamp(seconds: 10)
        #expect(start.advanced(by: .milliseconds(-1_500)).milliseconds == 8_500)
        #expect(start.since(Timestamp(seconds: 7)) == .seconds(3))
    }
}
