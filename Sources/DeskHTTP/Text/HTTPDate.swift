import DeskModel

/// Times as HTTP writes them (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text of a number of seconds since 1970; below zero counts as zero.
    public static func text(secondsSince1970 seconds: Int) -> String {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let day = seconds / 86_400
        let date = CivilDate(daysSince1970: day)
        let rest = seconds % 86_400
        let clock = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        let name = days[CivilDate.weekday(daysSince1970: day)]
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
        let date = CivilDate(year: year, month: month + 1, day: day).daysSince1970
        return date * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: String, _ digits: Int) -> Int? {
        text.utf8.count == digits && text.utf8.allSatisfy(ByteClass.isDigit) ? Int(text) : nil
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
