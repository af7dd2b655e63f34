import DeskJSON
import DeskModel
import Testing

@testable import DeskCalendar

@Suite struct BusinessHoursJSONTests {
    private static func read(_ text: String) throws -> (BusinessHours?, [String]) {
        var faults: [BusinessHours.Fault] = []
        let root = try #require(JSONValue.parsed(Array(text.utf8)))
        let hours = BusinessHours.read(root, &faults)
        return (hours, faults.map(\.value.path))
    }

    @Test func `hours are read as they were written`() throws {
        let text = #"""
            {"timeZone":"Europe/Berlin","week":{"tuesday":[{"from":"13:00","to":"24:00"},
            {"from":"09:05","to":"13:00"}]},"holidays":[
            {"date":"2028-02-29","open":[{"from":"10:00","to":"11:00"}]},
            {"date":"2026-12-25","name":"Christmas"}]}
            """#
        let hours = try #require(try Self.read(text).0)
        #expect(hours.timeZone == "Europe/Berlin")
        #expect(hours.week.map(\.count) == [0, 2, 0, 0, 0, 0, 0])
        #expect(
            hours.week[1] == [.init(from: 545, to: 780), .init(from: 780, to: 1_440)])
        #expect(hours.holidays.map(\.date.year) == [2026, 2028])
        #expect(hours.holidays.map(\.name) == ["Christmas", ""])
        #expect(hours.holidays.map(\.open.count) == [0, 1])
        #expect(BusinessHours(hours.json) == hours)
    }

    @Test(arguments: [
        (#"{"week":{}}"#, [""]),
        (#"{"timeZone":"UTC"}"#, [""]),
        (#"{"timeZone":7,"week":[]}"#, ["/timeZone", "/week"]),
        (#"{"timeZone":"UTC","week":{"funday":[]}}"#, ["/week/funday"]),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"09:00","to":"08:59"}]}}"#,
            ["/week/monday/0/to"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"09:00","to":"09:00"}]}}"#,
            ["/week/monday/0/to"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"24:00","to":"24:00"}]}}"#,
            ["/week/monday/0/from"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"9:00","to":"10:60"}]}}"#,
            ["/week/monday/0/from", "/week/monday/0/to"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"12:00","to":"13:00"},"#
                + #"{"from":"09:00","to":"12:01"}]}}"#, ["/week/monday/0/from"]
        ),
        (
            #"{"timeZone":"UTC","week":{"monday":[{"from":"12:00","to":"13:00","x":1}]}}"#,
            ["/week/monday/0/x"]
        ),
        (
            #"{"timeZone":"UTC","week":{},"holidays":[{"date":"2026-02-29"}]}"#,
            ["/holidays/0/date"]
        ),
        (
            #"{"timeZone":"UTC","week":{},"holidays":[{"date":"2026-02-28"},"#
                + #"{"date":"2026-02-28"}]}"#, ["/holidays/1/date"]
        ),
        (
            #"{"timeZone":"UTC","week":{},"holidays":[{"date":"2026-02-28","open":{}}]}"#,
            ["/holidays/0/open"]
        ),
    ])
    func `what is wrong with hours is named at its place`(
        text: String, places: [String]
    ) throws {
        let (hours, found) = try Self.read(text)
        #expect(hours == nil)
        #expect(found == places)
    }

    @Test func `a day and a list of holidays have a bound`() throws {
        func text(intervals: Int, holidays: Int) -> String {
            let day = (0..<intervals).map { minute in
                let (from, to) = (minute * 2 + 10, minute * 2 + 11)
                return #"{"from":"00:\#(from)","to":"00:\#(to)"}"#
            }
            let dates = (0..<holidays).map { #"{"date":"\#(2_000 + $0)-01-01"}"# }
            return #"{"timeZone":"UTC","week":{"monday":[\#(day.joined(separator: ","))]},"#
                + #""holidays":[\#(dates.joined(separator: ","))]}"#
        }
        #expect(try Self.read(text(intervals: 12, holidays: 200)).1 == [])
        #expect(try Self.read(text(intervals: 13, holidays: 0)).1 == ["/week/monday"])
        #expect(try Self.read(text(intervals: 0, holidays: 201)).1 == ["/holidays"])
    }
}
