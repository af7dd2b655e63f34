import DeskBytes

extension FormatReader {
    /// RFC 3339, `date-time`.
    mutating func dateTime(_ text: Span<UInt8>) -> Bool {
        guard date(text), take(text, 0x54) || take(text, 0x74) else { return false }
        return time(text) && isAtEnd
    }

    /// RFC 3339, `full-date`.
    mutating func date(_ text: Span<UInt8>) -> Bool {
        guard let year = number(text, digits: 4), take(text, 0x2D),
            let month = number(text, digits: 2), take(text, 0x2D),
            let day = number(text, digits: 2), (1...12).contains(month), day >= 1
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days: Int
        switch month {
        case 2: days = isLeap ? 29 : 28
        case 4, 6, 9, 11: days = 30
        default: days = 31
        }
        return day <= days
    }

    /// RFC 3339, `full-time`; a leap second only where UTC has one, at 23:59.
    mutating func time(_ text: Span<UInt8>) -> Bool {
        guard let hour = number(text, digits: 2), take(text, 0x3A),
            let minute = number(text, digits: 2), take(text, 0x3A),
            let second = number(text, digits: 2), hour < 24, minute < 60, second <= 60
        else { return false }
        if take(text, 0x2E), digits(text) == 0 { return false }
        var offset = 0
        if !(take(text, 0x5A) || take(text, 0x7A)) {
            let isWest = take(text, 0x2D)
            guard isWest || take(text, 0x2B), let hours = number(text, digits: 2),
                take(text, 0x3A), let minutes = number(text, digits: 2), hours < 24, minutes < 60
            else { return false }
            offset = (hours * 60 + minutes) * (isWest ? 1 : -1)
        }
        guard second == 60 else { return true }
        return (hour * 60 + minute + offset + 2880) % 1440 == 1439
    }

    /// RFC 3339, appendix A.
    mutating func duration(_ text: Span<UInt8>) -> Bool {
        guard take(text, 0x50) else { return false }
        guard !isAtEnd else { return false }
        if peek(text) != 0x54 {
            guard digits(text) > 0 else { return false }
            if take(text, 0x57) { return isAtEnd }
            guard units(text, [0x59, 0x4D, 0x44], firstDigitsRead: true) else { return false }
            if isAtEnd { return true }
        }
        guard take(text, 0x54), !isAtEnd, digits(text) > 0 else { return false }
        return units(text, [0x48, 0x4D, 0x53], firstDigitsRead: true) && isAtEnd
    }

    /// Numbers with neighbouring units in this order, none left out between two.
    private mutating func units(
        _ text: Span<UInt8>, _ letters: [UInt8], firstDigitsRead: Bool
    ) -> Bool {
        guard var place = letters.firstIndex(of: peek(text)) else { return false }
        at += 1
        while at < end, ASCII.isDigit(text[at]) {
            _ = digits(text)
            place += 1
            guard place < letters.count, take(text, letters[place]) else { return false }
        }
        return true
    }

    /// RFC 4122, text form, either case.
    mutating func uuid(_ text: Span<UInt8>) -> Bool {
        guard end == 36 else { return false }
        while at < end {
            let byte = text[at]
            let isDash = at == 8 || at == 13 || at == 18 || at == 23
            guard isDash ? byte == 0x2D : ASCII.hexValue(byte) != nil else { return false }
            at += 1
        }
        return true
    }

    /// RFC 6901.
    mutating func jsonPointer(_ text: Span<UInt8>) -> Bool {
        guard !isAtEnd else { return true }
        guard peek(text) == 0x2F else { return false }
        while at < end {
            let byte = text[at]
            at += 1
            if byte == 0x7E {
                guard take(text, 0x30) || take(text, 0x31) else { return false }
            }
        }
        return true
    }

    /// The draft for relative pointers: a number, then a pointer or `#`.
    mutating func relativeJSONPointer(_ text: Span<UInt8>) -> Bool {
        if !take(text, 0x30) {
            guard digits(text) > 0 else { return false }
        }
        if take(text, 0x23) { return isAtEnd }
        return jsonPointer(text)
    }
}
