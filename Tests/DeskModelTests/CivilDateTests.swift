import DeskModel
import Testing

struct CivilDateTests {
    @Test(arguments: [
        (0, 1970, 1, 1, 4), (-1, 1969, 12, 31, 3), (11_016, 2000, 2, 29, 2),
        (47_540, 2100, 2, 28, 0), (47_541, 2100, 3, 1, 1), (-719_528, 0, 1, 1, 6),
        (-719_529, -1, 12, 31, 5), (2_932_896, 9_999, 12, 31, 5),
    ])
    func `a day has one date and one weekday`(
        days: Int, year: Int, month: Int, day: Int, weekday: Int
    ) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
        #expect(CivilDate.weekday(daysSince1970: days) == weekday)
    }

    @Test func `every day of 800 years follows the one before`() {
        var before = CivilDate(daysSince1970: -146_098)
        for days in -146_097...146_097 {
            let date = CivilDate(daysSince1970: days)
            let isNextDay = date.month == before.month && date.day == before.day + 1
            let isNextMonth = date.day == 1 && before.day >= 28
            guard isNextDay || isNextMonth, date.daysSince1970 == days else {
                Issue.record("day \(days) is \(date) after \(before)")
                return
            }
            before = date
        }
    }
}
