/// How a form writes its dates: year, month and day in figures, with signs between.
struct DateForm {
    /// A day of the calendar.
    typealias Parts = (year: Int, month: Int, day: Int)

    private let pattern: [UInt8]

    /// Reads patterns of `yyyy`, `MM` and `dd` only; nil for others, which are not judged.
    init?(_ text: String) {
        pattern = Array(text.utf8)
        let letters = text.filter(\.isLetter)
        guard ["yyyyMMdd", "MMddyyyy", "ddMMyyyy"].contains(letters) else { return nil }
    }

    /// The forms that dates are mistakenly written in and that can be read in one way only; a time
    /// behind the date is passed over.
    static let known = ["yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd"].compactMap { DateForm($0) }

    /// A date's parts; nil for a text in another form or a day that no calendar has.
    func parts(_ text: String) -> Parts? {
        let bytes = Array(text.utf8)
        let hasTime =
            bytes.count > pattern.count
            && (bytes[pattern.count] == 0x20 || bytes[pattern.count] == UInt8(ascii: "T"))
        guard bytes.count == pattern.count || hasTime else { return nil }
        var parts: Parts = (0, 0, 0)
        for (letter, byte) in zip(pattern, bytes) {
            let digit = Int(byte) - 0x30
            switch letter {
            case UInt8(ascii: "y"), UInt8(ascii: "M"), UInt8(ascii: "d"):
                guard (0...9).contains(digit) else { return nil }
                if letter == UInt8(ascii: "y") { parts.year = parts.year * 10 + digit }
                if letter == UInt8(ascii: "M") { parts.month = parts.month * 10 + digit }
                if letter == UInt8(ascii: "d") { parts.day = parts.day * 10 + digit }
            default: guard letter == byte else { return nil }
            }
        }
        let isLeap = parts.year % 4 == 0 && (parts.year % 100 != 0 || parts.year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(parts.month), (1...lengths[parts.month - 1]).contains(parts.day)
        else { return nil }
        return parts
    }

    /// A number that grows with the day; nil for no date of exactly this form.
    func day(_ text: String) -> Int? {
        guard text.utf8.count == pattern.count, let parts = parts(text) else { return nil }
        return parts.year * 10_000 + parts.month * 100 + parts.day
    }

    /// A date in this form.
    func text(_ parts: Parts) -> String {
        var year = Self.digits(parts.year, 4)
        var month = Self.digits(parts.month, 2)
        var day = Self.digits(parts.day, 2)
        let bytes = pattern.map { letter in
            switch letter {
            case UInt8(ascii: "y"): year.removeFirst()
            case UInt8(ascii: "M"): month.removeFirst()
            case UInt8(ascii: "d"): day.removeFirst()
            default: letter
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digits(_ number: Int, _ count: Int) -> [UInt8] {
        let text = Array(String(number).utf8)
        return [UInt8](repeating: 0x30, count: max(0, count - text.count)) + text
    }
}
