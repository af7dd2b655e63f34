/// A moment as the parts of a calendar and a clock.
struct CivilTime: Hashable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    /// 0 for Sunday.
    let weekday: Int

    /// Takes seconds since 1970 apart.
    init(seconds: Int64) {
        let (days, rest) = seconds.flooredDivision(by: 86_400)
        hour = Int(rest / 3_600)
        minute = Int(rest / 60 % 60)
        weekday = Int((days + 4).flooredDivision(by: 7).rest)
        // Eras of 400 years that begin on 1 March.
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
        month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
        year = Int(era * 400 + yearOfEra) + (month <= 2 ? 1 : 0)
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

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
