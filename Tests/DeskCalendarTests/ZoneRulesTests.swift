import DeskModel
import FoundationEssentials
import Testing

@testable import DeskCalendar

@Suite struct ZoneRulesTests {
    private static let zones = TimeZones()

    private static func moment(_ text: String) throws -> Timestamp {
        try #require(Timestamp(text))
    }

    // The numbers are those of Python's zoneinfo.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29T00:59:59Z", 3600),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", 7200),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", 7200),
        ("Europe/Berlin", "2026-10-25T01:00:00Z", 3600),
        ("Europe/Berlin", "2060-07-01T00:00:00Z", 7200),
        ("Europe/Berlin", "2060-12-01T00:00:00Z", 3600),
        ("Europe/Berlin", "1880-01-01T00:00:00Z", 3208),
        ("America/New_York", "2026-03-08T06:59:59Z", -18000),
        ("America/New_York", "2026-03-08T07:00:00Z", -14400),
        ("America/New_York", "2050-11-06T05:59:59Z", -14400),
        ("America/New_York", "2050-11-06T06:00:00Z", -18000),
        ("Europe/Dublin", "2026-01-15T12:00:00Z", 0),
        ("Europe/Dublin", "2045-07-15T12:00:00Z", 3600),
        ("Europe/Dublin", "2045-12-15T12:00:00Z", 0),
        ("America/Nuuk", "2040-03-25T00:59:59Z", -7200),
        ("America/Nuuk", "2040-03-25T01:00:00Z", -3600),
        ("Australia/Lord_Howe", "2040-01-01T00:00:00Z", 39600),
        ("Australia/Lord_Howe", "2040-07-01T00:00:00Z", 37800),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", -36000),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", 50400),
        ("Asia/Kathmandu", "2026-11-23T00:00:00Z", 20700),
        ("Asia/Tokyo", "2026-11-23T00:00:00Z", 32400),
        ("America/Sao_Paulo", "2018-11-04T02:59:59Z", -10800),
        ("America/Sao_Paulo", "2018-11-04T03:00:00Z", -7200),
        ("Africa/Casablanca", "2087-05-11T00:00:00Z", 0),
        ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18000),
        ("Asia/Gaza", "2100-07-01T00:00:00Z", 10800),
        ("UTC", "2026-01-01T00:00:00Z", 0),
    ])
    func `a zone's clocks are so far from UTC`(zone: String, time: String, offset: Int) throws {
        let rules = try #require(Self.zones.rules(of: zone))
        #expect(rules.offset(at: try Self.moment(time)) == offset)
    }

    @Test(arguments: [
        ("2026-03-29", "2026-03-28T23:00:00Z", 23), ("2026-10-25", "2026-10-24T22:00:00Z", 25),
        ("2026-07-01", "2026-06-30T22:00:00Z", 24),
    ])
    func `a day begins at its midnight and has the hours that it has`(
        date: String, start: String, hours: Int
    ) throws {
        let rules = try #require(Self.zones.rules(of: "Europe/Berlin"))
        let noon = try Self.moment(date + "T12:00:00Z")
        let day = rules.date(at: noon)
        #expect(rules.start(of: day) == (try Self.moment(start)))
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        #expect(rules.start(of: next).since(rules.start(of: day)) == .seconds(hours * 3_600))
        #expect(rules.date(at: rules.start(of: day)) == day)
        #expect(rules.date(at: rules.start(of: next).advanced(by: .milliseconds(-1))) == day)
    }

    @Test func `a day without a midnight begins when its clocks do`() throws {
        // Brazil's clocks went from 23:59:59 to 1:00.
        let brazil = try #require(Self.zones.rules(of: "America/Sao_Paulo"))
        #expect(
            brazil.start(of: CivilDate(year: 2018, month: 11, day: 4))
                == (try Self.moment("2018-11-04T03:00:00Z")))
        // Cuba's clocks show the first hour of a day twice; the day begins with the first.
        let cuba = try #require(Self.zones.rules(of: "America/Havana"))
        let day = CivilDate(year: 2026, month: 11, day: 1)
        #expect(cuba.start(of: day) == (try Self.moment("2026-11-01T04:00:00Z")))
    }

    @Test(arguments: [
        "", "/", "Europe", "europe/berlin", "Europe/Atlantis", "../etc/passwd", "Europe/../UTC",
        "Europe//Berlin", "/usr/share/zoneinfo/Europe/Berlin", "posix/Europe/Berlin",
        "right/Europe/Berlin", "Europe/Berlin\0", "A/B/C/D",
    ])
    func `a name that is no zone's has no rules`(name: String) {
        #expect(Self.zones.rules(of: name) == nil)
    }

    @Test func `every zone of the machine is read`() throws {
        let table = try #require(
            FileManager.default.contents(atPath: TimeZones.usualFolder + "/zone1970.tab"))
        let names = String(decoding: table, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) }
        #expect(names.count > 300)
        for name in names { #expect(Self.zones.rules(of: name) != nil, "\(name)") }
    }

    @Test func `a file that was cut or changed anywhere is read or refused, and never traps`()
        throws
    {
        let data = try #require(
            FileManager.default.contents(atPath: TimeZones.usualFolder + "/Europe/Dublin"))
        let bytes = Array(data)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(ZoneFile.read(Array(bytes.prefix(count))) == nil)
        }
        for place in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = bytes
                changed[place] = value
                _ = ZoneFile.read(changed)?.offset(at: Timestamp(seconds: 1_800_000_000))
            }
        }
    }
}
