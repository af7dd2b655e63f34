import DeskModel

/// A moment as the parts of a calendar and a clock.
struct CivilTime: Hashable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    /// 0 for Sunday.
    let weekday: Int

    /// Splits seconds since 1970 into date and time.
    init(seconds: Int64) {
        let (days, rest) = CivilDate.divide(Int(seconds), by: 86_400)
        let date = CivilDate(daysSince1970: days)
        (year, month, day) = (date.year, date.month, date.day)
        hour = rest / 3_600
        minute = rest / 60 % 60
        weekday = CivilDate.weekday(daysSince1970: days)
    }

    /// The weekday's name in English.
    var weekdayName: String { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday] }

    /// The weekday's sign in Japanese.
    var weekdaySign: String { ["日", "月", "火", "水", "木", "金", "土"][weekday] }

    /// The month's name in English.
    var monthName: String {
        [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][month - 1]
    }
}
