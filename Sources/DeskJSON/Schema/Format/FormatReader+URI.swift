import DeskBytes

extension FormatReader {
    /// RFC 3986, or RFC 3987 with letters beyond ASCII.
    mutating func uri(_ text: Span<UInt8>, mayBeRelative: Bool, mayBeWide: Bool) -> Bool {
        let hasScheme = scheme(text)
        guard hasScheme || mayBeRelative else { return false }
        var hasAuthority = false
        if at + 1 < end, text[at] == 0x2F, text[at + 1] == 0x2F {
            at += 2
            hasAuthority = true
            guard authority(text, mayBeWide: mayBeWide) else { return false }
        }
        var isFirstSegment = true
        while at < end, text[at] != 0x3F, text[at] != 0x23 {
            if text[at] == 0x2F {
                isFirstSegment = false
                at += 1
                continue
            }
            // RFC 3986, 4.2: a colon in a relative path's first segment would end a scheme.
            if text[at] == 0x3A, isFirstSegment, !hasScheme, !hasAuthority { return false }
            guard character(text, mayBeWide: mayBeWide) else { return false }
        }
        if take(text, 0x3F) {
            while at < end, text[at] != 0x23 {
                if text[at] == 0x2F || text[at] == 0x3F {
                    at += 1
                } else if !character(text, mayBeWide: mayBeWide) {
                    return false
                }
            }
        }
        if take(text, 0x23) {
            while at < end {
                if text[at] == 0x2F || text[at] == 0x3F {
                    at += 1
                } else if !character(text, mayBeWide: mayBeWide) {
                    return false
                }
            }
        }
        return isAtEnd
    }

    private mutating func scheme(_ text: Span<UInt8>) -> Bool {
        guard ASCII.isLetter(peek(text)) else { return false }
        var index = at
        while index < end {
            let byte = text[index]
            if byte == 0x3A {
                at = index + 1
                return true
            }
            guard ASCII.isAlphanumeric(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
            else { return false }
            index += 1
        }
        return false
    }

    private mutating func authority(_ text: Span<UInt8>, mayBeWide: Bool) -> Bool {
        var stop = at
        var lastAt: Int?
        while stop < end, text[stop] != 0x2F, text[stop] != 0x3F, text[stop] != 0x23 {
            if text[stop] == 0x40 { lastAt = lastAt ?? stop }
            stop += 1
        }
        if let user = lastAt {
            while at < user {
                guard text[at] != 0x5B, text[at] != 0x5D, character(text, mayBeWide: mayBeWide)
                else { return false }
            }
            at += 1
        }
        if take(text, 0x5B) {
            guard ipLiteral(text, stop) else { return false }
        } else {
            while at < stop, text[at] != 0x3A {
                guard text[at] != 0x40, character(text, mayBeWide: mayBeWide) else { return false }
            }
        }
        if at < stop {
            guard take(text, 0x3A) else { return false }
            _ = digits(text)
        }
        return at == stop
    }

    private mutating func ipLiteral(_ text: Span<UInt8>, _ stop: Int) -> Bool {
        var close = at
        while close < stop, text[close] != 0x5D { close += 1 }
        guard close < stop else { return false }
        if at < close, text[at] | 0x20 == 0x76 {
            at += 1
            let start = at
            while at < close, ASCII.hexValue(text[at]) != nil { at += 1 }
            guard at > start, take(text, 0x2E), at < close else { return false }
            while at < close {
                guard
                    text[at] == 0x3A || FormatReader.isUnreserved(text[at])
                        || FormatReader.isSubDelimiter(text[at])
                else { return false }
                at += 1
            }
        } else {
            guard ipv6(text, to: close) else { return false }
        }
        at = close + 1
        return true
    }

    /// One `pchar`: unreserved, a percent escape, a sub-delimiter, `:` or `@`.
    private mutating func character(_ text: Span<UInt8>, mayBeWide: Bool) -> Bool {
        let byte = text[at]
        if byte == 0x25 {
            guard at + 2 < end, ASCII.hexValue(text[at + 1]) != nil,
                ASCII.hexValue(text[at + 2]) != nil
            else { return false }
            at += 3
            return true
        }
        if byte >= 0x80 {
            at += 1
            return mayBeWide
        }
        guard
            FormatReader.isUnreserved(byte) || FormatReader.isSubDelimiter(byte) || byte == 0x3A
                || byte == 0x40
        else { return false }
        at += 1
        return true
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }

    private static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }

    /// RFC 6570.
    mutating func uriTemplate(_ text: Span<UInt8>) -> Bool {
        while at < end {
            switch text[at] {
            case 0x7B:
                at += 1
                guard expression(text) else { return false }
            case 0x25:
                guard character(text, mayBeWide: true) else { return false }
            case 0...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7C, 0x7D, 0x7F: return false
            default: at += 1
            }
        }
        return true
    }

    private mutating func expression(_ text: Span<UInt8>) -> Bool {
        switch peek(text) {
        case 0x2B, 0x23, 0x2E, 0x2F, 0x3B, 0x3F, 0x26, 0x3D, 0x2C, 0x21, 0x40, 0x7C: at += 1
        default: break
        }
        repeat {
            let start = at
            while at < end {
                let byte = text[at]
                if byte == 0x25 {
                    guard character(text, mayBeWide: false) else { return false }
                } else if ASCII.isAlphanumeric(byte) || byte == 0x5F {
                    at += 1
                } else if byte == 0x2E, at > start, text[at - 1] != 0x2E {
                    at += 1
                } else {
                    break
                }
            }
            guard at > start, text[at - 1] != 0x2E else { return false }
            if take(text, 0x3A) {
                let count = digits(text)
                guard (1...4).contains(count), text[at - count] != 0x30 else { return false }
            } else {
                _ = take(text, 0x2A)
            }
        } while take(text, 0x2C)
        return take(text, 0x7D)
    }
}
