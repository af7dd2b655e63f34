extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds, `2026-07-30T09:15:00.250Z`.
    ///
    /// Limit: the years 0 to 9999; a moment outside them is written as the nearest one inside.
    public var text: String {
        unsafe String(unsafeUninitializedCapacity: Self.textCount) { buffer in
            unsafe writeText(to: UnsafeMutableRawBufferPointer(buffer))
            return Self.textCount
        }
    }

    /// How many bytes the text has.
    public static let textCount = 24

    /// Writes the text into the caller's buffer, without making a string.
    ///
    /// - Precondition: there is room for `textCount` bytes.
    public func writeText(to room: UnsafeMutableRawBufferPointer) {
        precondition(room.count >= Self.textCount, "a moment's text has 24 bytes")
        let clamped = min(max(milliseconds, Self.earliest), Self.latest)
        let (days, milliseconds) = CivilDate.divide(Int(clamped), by: 86_400_000)
        let rest = Int64(milliseconds)
        let date = CivilDate(daysSince1970: days)
        let (year, month, day) = (Int64(date.year), Int64(date.month), Int64(date.day))
        let seconds = rest / 1_000
        unsafe Self.write(year / 100, "\0", to: room, at: 0)
        unsafe Self.write(year % 100, "-", to: room, at: 2)
        unsafe Self.write(month, "-", to: room, at: 5)
        unsafe Self.write(day, "T", to: room, at: 8)
        unsafe Self.write(seconds / 3_600, ":", to: room, at: 11)
        unsafe Self.write(seconds / 60 % 60, ":", to: room, at: 14)
        unsafe Self.write(seconds % 60, ".", to: room, at: 17)
        unsafe room[20] = UInt8(ascii: "0") + UInt8(rest % 1_000 / 100)
        unsafe Self.write(rest % 100, "Z", to: room, at: 21)
    }

    /// Writes two digits and what follows them.
    private static func write(
        _ value: Int64, _ end: Unicode.Scalar, to room: UnsafeMutableRawBufferPointer, at place: Int
    ) {
        unsafe room[place] = UInt8(ascii: "0") + UInt8(value / 10)
        unsafe room[place + 1] = UInt8(ascii: "0") + UInt8(value % 10)
        unsafe room[place + 2] = UInt8(ascii: end)
    }

    /// The same as `text`.
    public var description: String { text }

    /// Reads RFC 3339 with seconds, any fraction (cut to milliseconds) and `Z` or an offset.
    ///
    /// A leap second is read as the second that follows it. Anything else is nil.
    public init?(_ text: some StringProtocol) {
        var reader = DigitReader(bytes: Array(text.utf8.prefix(64)))
        guard text.utf8.count <= 64,
            let year = reader.number(4), reader.take("-"),
            let month = reader.number(2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(2), (1...Self.days(in: month, of: year)).contains(day),
            reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), hour < 24, reader.take(":"),
            let minute = reader.number(2), minute < 60, reader.take(":"),
            let second = reader.number(2), second <= 60,
            let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        let seconds = hour * 3_600 + minute * 60 + second - offset * 60
        self.init(
            milliseconds: Int64(date.daysSince1970) * 86_400_000 + seconds * 1_000 + fraction)
    }

    private static let earliest: Int64 = -62_167_219_200_000
    private static let latest: Int64 = 253_402_300_799_999

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads fixed runs of digits out of a short text.
private struct DigitReader {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func digit() -> Int64? {
        guard place < bytes.count,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
        else { return nil }
        place += 1
        return Int64(bytes[place - 1] - UInt8(ascii: "0"))
    }

    mutating func number(_ digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: scalar) else { return false }
        place += 1
        return true
    }

    /// Milliseconds of the optional fraction; nil when a point has no digit after it.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        var value: Int64 = 0
        var count = 0
        while let next = digit() {
            if count < 3 { value = value * 10 + next }
            count += 1
        }
        guard count > 0 else { return nil }
        while count < 3 {
            value *= 10
            count += 1
        }
        return value
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2), hours < 24, take(":"),
            let minutes = number(2), minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
}
