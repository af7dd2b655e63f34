package import DeskJSON
import DeskModel

/// A slot's begin as the protocol writes it: to the minute or finer, with `Z`, `+0000` or `+00:00`.
package struct SlotTime: Hashable {
    /// Seconds since 1970.
    package let seconds: Int64
    /// Whether the text says that it is UTC.
    let isUTC: Bool
    /// Whether the text says how far from UTC it is.
    let hasOffset: Bool

    /// A picker's `timezoneOffset` in minutes; nil where it is missing or says no place on earth.
    ///
    /// What comes from outside may state any number: one beyond a day is no offset to reckon with.
    package static func offsetMinutes(of event: JSONValue) -> Int? {
        event["timezoneOffset"]?.wholeNumber.flatMap { (-1_440...1_440).contains($0) ? $0 : nil }
    }

    /// Reads a begin, or nil for no such moment; a missing offset is read as UTC, see `isUTC`.
    package init?(_ text: some Collection<UInt8>) {
        let bytes = Array(text)
        guard (16...40).contains(bytes.count) else { return nil }
        // The server's reader needs seconds and a colon in the offset: both are added.
        var full = Array(bytes.prefix(16))
        var index = 16
        if index < bytes.count, bytes[index] == UInt8(ascii: ":") {
            while index < bytes.count, !Self.beginsOffset(bytes[index]) {
                full.append(bytes[index])
                index += 1
            }
        } else {
            full.append(contentsOf: Array(":00".utf8))
        }
        let offset = bytes[index...]
        hasOffset = !offset.isEmpty
        switch offset.count {
        case 0:
            isUTC = false
            full.append(UInt8(ascii: "Z"))
        case 1:
            guard offset.first == UInt8(ascii: "Z") else { return nil }
            isUTC = true
            full.append(contentsOf: offset)
        case 5:
            isUTC = offset.elementsEqual("+0000".utf8)
            full.append(contentsOf: offset.prefix(3))
            full.append(UInt8(ascii: ":"))
            full.append(contentsOf: offset.suffix(2))
        default:
            isUTC = offset.elementsEqual("+00:00".utf8)
            full.append(contentsOf: offset)
        }
        guard let moment = Timestamp(String(decoding: full, as: UTF8.self)) else { return nil }
        seconds = moment.milliseconds / 1_000
    }

    /// The begin as Apple's sample writes it, in UTC to the minute.
    var utcText: String {
        String(Timestamp(milliseconds: seconds * 1_000).text.prefix(16)) + "+0000"
    }

    private static func beginsOffset(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "Z") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
}
