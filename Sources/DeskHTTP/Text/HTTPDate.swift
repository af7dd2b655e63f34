/// Times as HTTP writes them (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text of a number of seconds since 1970; below zero counts as zero.
    public static func text(secondsSince1970 seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let day = seconds / 86_400
        let date = civil(day)
        let rest = seconds % 86_400
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        let name = days[day % 7]
        let month = months[date.month - 1]
        return "\(name), \(two(date.day)) \(month) \(date.year) \(clock) GMT"
    }

    /// Reads the one form that is still generated; nil for the obsolete two, which may be ignored.
    public static func secondsSince1970(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT",
            let day = number(parts[1], 2), let month = months.firstIndex(of: parts[2]),
            let year = number(parts[3], 4), year >= 1970
        else { return nil }
        let clock = parts[4].utf8.split(separator: UInt8(ascii: ":"))
            .map { number(String(Substring($0)), 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60, (1...31).contains(day)
        else { return nil }
        let date = dayNumber(year: year, month: month + 1, day: day)
        return date * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: String, _ digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy(ByteClass.isDigit) ? Int(text) : nil
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day, counted in eras of 400 years that start on the first of March.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
