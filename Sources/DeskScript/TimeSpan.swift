/// Lengths of time as people write them: `10s`, `5 minutes`, `1.5 h`, `250 ms`.
public enum TimeSpan {
    /// What is allowed, in words for an error.
    public static let rule =
        "a number and ms, s, seconds, minutes, hours or days, such as \"90 s\" or \"5 minutes\""
    /// The longest accepted length: a thousand days.
    public static let longest = Duration.seconds(1_000 * 86_400)

    private static let units: [(names: [String], milliseconds: Int64)] = [
        (["ms", "millisecond", "milliseconds"], 1),
        (["s", "sec", "second", "seconds"], 1_000),
        (["m", "min", "minute", "minutes"], 60_000),
        (["h", "hour", "hours"], 3_600_000),
        (["d", "day", "days"], 86_400_000),
    ]

    /// Reads a length of time; nil for anything else, and for one over `longest`.
    public static func read(_ text: String) -> Duration? {
        let bytes = Array(text.utf8.drop { $0 == 0x20 })
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard (1...12).contains(digits.count), let whole = Int64(decoded(digits)) else {
            return nil
        }
        var rest = bytes.dropFirst(digits.count)
        var tenths: Int64 = 0
        if rest.first == UInt8(ascii: "."), let digit = rest.dropFirst().first,
            (0x30...0x39).contains(digit)
        {
            tenths = Int64(digit - 0x30)
            rest = rest.dropFirst(2)
        }
        rest = rest.drop { $0 == 0x20 }
        while rest.last == 0x20 { rest = rest.dropLast() }
        let unit = decoded(rest)
        guard
            let found = units.first(where: { unit in
                unit.names.contains { $0.utf8.elementsEqual(rest) }
            }), !unit.isEmpty
        else { return nil }
        let (milliseconds, isTooLong) = whole.multipliedReportingOverflow(by: found.milliseconds)
        guard !isTooLong, milliseconds <= longest.components.seconds * 1_000 else { return nil }
        let span = Duration.milliseconds(milliseconds + tenths * found.milliseconds / 10)
        return span <= longest ? span : nil
    }

    /// Writes the length in the largest unit of which it is a whole number.
    public static func text(_ span: Duration) -> String {
        let milliseconds = Int64(span / .milliseconds(1))
        for unit in units.reversed() where milliseconds % unit.milliseconds == 0 {
            let count = milliseconds / unit.milliseconds
            guard count > 0 else { continue }
            let names = unit.names.suffix(2)
            return "\(count) " + ((count == 1 ? names.first : names.last) ?? "")
        }
        return "0 seconds"
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
