import Testing

@testable import DeskMessages

struct ValueTests {
    @Test(
        arguments: [
            ("0", 0), ("1", 10_000), ("12.5", 125_000), ("12.50", 125_000), ("-0.0001", -1),
            ("999999999999.9999", 9_999_999_999_999_999), ("", nil), ("-", nil), ("1.", nil),
            (".5", nil), ("1.23456", nil), ("1,5", nil), ("1 ", nil), ("+1", nil), ("1.2.3", nil),
            ("1000000000000", nil), ("1e3", nil), ("١", nil),
        ] as [(String, Int64?)])
    func `amounts are read exactly or not at all`(_ text: String, _ value: Int64?) {
        #expect(DecimalAmount(text.utf8)?.tenThousandths == value)
    }

    @Test(arguments: [
        ("0", "0.00"), ("-0.5", "-0.50"), ("1.2345", "1.2345"), ("1.230", "1.23"), ("7", "7.00"),
    ])
    func `an amount is written with two places or more`(_ text: String, _ written: String) {
        #expect(DecimalAmount(text.utf8)?.text == written)
    }

    @Test(
        arguments: [
            ("2022-07-10T17:00+0000", 1_657_472_400, true),
            ("2022-07-10T17:00Z", 1_657_472_400, true),
            ("2022-07-10T17:00:30+00:00", 1_657_472_430, true),
            ("2022-07-10T17:00:30.250Z", 1_657_472_430, true),
            ("2022-07-10T17:00+0900", 1_657_440_000, false),
            ("2022-07-10T17:00-05:00", 1_657_490_400, false),
            ("2022-07-10T17:00", 1_657_472_400, false),
            ("2022-02-29T17:00Z", nil, false), ("2024-02-29T17:00Z", 1_709_226_000, true),
            ("2022-07-10 17", nil, false), ("2022-07-10T25:00Z", nil, false), ("", nil, false),
            ("2022-07-10T17:00z", nil, false), ("2022-07-10T17:00+000", nil, false),
            ("2022-07-10T17:00:", nil, false), ("2022-07-10T17:00:00:00Z", nil, false),
        ] as [(String, Int64?, Bool)])
    func `a slot's begin is read to the second`(_ text: String, _ seconds: Int64?, _ isUTC: Bool) {
        let time = SlotTime(text.utf8)
        #expect(time?.seconds == seconds)
        if let time { #expect(time.isUTC == isUTC) }
    }

    @Test func `a begin with an offset is shown in UTC`() {
        #expect(SlotTime("2026-12-01T10:00+0900".utf8)?.utcText == "2026-12-01T01:00+0000")
    }

    @Test(
        arguments: [
            (0, nil, "Thu, Jan 1, 1970, 12:00 AM UTC", "1970年1月1日(木) 0:00 UTC"),
            (1_796_086_800, 540, "Tue, Dec 1, 2026, 10:00 AM", "2026年12月1日(火) 10:00"),
            (1_709_226_000, -300, "Thu, Feb 29, 2024, 12:00 PM", "2024年2月29日(木) 12:00"),
            (-1, nil, "Wed, Dec 31, 1969, 11:59 PM UTC", "1969年12月31日(水) 23:59 UTC"),
        ] as [(Int64, Int?, String, String)])
    func `a moment is written in both languages`(
        _ seconds: Int64, _ offset: Int?, _ english: String, _ japanese: String
    ) {
        #expect(Language.english.moment(seconds, offsetMinutes: offset) == english)
        #expect(Language.japanese.moment(seconds, offsetMinutes: offset) == japanese)
    }

    @Test(
        arguments: [
            ("QUICK,LIST", [.quick, .list]), ("quick, list , TIME", [.quick, .list, .time]),
            ("AUTH%2CLIST%2cFORM", [.auth, .list, .form]), ("", []), ("AUTH2,NEW", [.auth2]),
            (",,", []),
        ] as [(String, Set<Capability>)])
    func `a capability list is read in any case`(_ header: String, _ features: Set<Capability>) {
        #expect(CapabilityList(header: header).features == features)
    }

    @Test(
        arguments: [
            ("ja_JP", .japanese), ("ja", .japanese), ("JA-jp", .japanese), ("en_US", .english),
            ("jam_JM", .english), (nil, .english), ("", .english),
        ] as [(String?, Language)])
    func `a locale picks the language`(_ locale: String?, _ language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
