import DeskBytes

extension FormatReader {
    /// RFC 2673, section 3.2: four numbers without leading zeros.
    mutating func ipv4(_ text: Span<UInt8>, to limit: Int) -> Bool {
        for part in 0..<4 {
            if part > 0, !take(text, 0x2E) { return false }
            let start = at
            var value = 0
            while at < limit, ASCII.isDigit(text[at]), at - start < 4 {
                value = value * 10 + Int(text[at] - 0x30)
                at += 1
            }
            let count = at - start
            guard count > 0, count < 4, value < 256, count == 1 || text[start] != 0x30 else {
                return false
            }
        }
        return at == limit
    }

    /// RFC 4291, section 2.2, without a zone.
    mutating func ipv6(_ text: Span<UInt8>, to limit: Int) -> Bool {
        var groups = 0
        var hasGap = false
        if at + 1 < limit, text[at] == 0x3A {
            guard text[at + 1] == 0x3A else { return false }
            hasGap = true
            at += 2
        }
        while at < limit {
            let start = at
            while at < limit, ASCII.hexValue(text[at]) != nil { at += 1 }
            if at < limit, text[at] == 0x2E {
                at = start
                guard groups <= 6, ipv4(text, to: limit) else { return false }
                groups += 2
                break
            }
            guard at > start, at - start <= 4 else { return false }
            groups += 1
            guard at < limit else { break }
            guard take(text, 0x3A), at < limit else { return false }
            if text[at] == 0x3A {
                guard !hasGap else { return false }
                hasGap = true
                at += 1
            }
        }
        return at == limit && (hasGap ? groups < 8 : groups == 8)
    }

    /// RFC 5321, `Mailbox`; with wide letters RFC 6531.
    mutating func email(_ text: Span<UInt8>, mayBeWide: Bool) -> Bool {
        guard localPart(text, mayBeWide: mayBeWide), take(text, 0x40), !isAtEnd else {
            return false
        }
        if take(text, 0x5B) {
            guard text[end - 1] == 0x5D else { return false }
            let prefix: [UInt8] = [0x69, 0x70, 0x76, 0x36, 0x3A]
            let isTagged =
                end - at > 5
                && prefix.indices.allSatisfy { text[at + $0] | 0x20 == prefix[$0] | 0x20 }
            if isTagged {
                at += 5
                return ipv6(text, to: end - 1)
            }
            return ipv4(text, to: end - 1)
        }
        return HostName.isHostName(text.extracting(at..<end), mayBeWide: mayBeWide)
    }

    private mutating func localPart(_ text: Span<UInt8>, mayBeWide: Bool) -> Bool {
        let start = at
        if take(text, 0x22) {
            while at < end, text[at] != 0x22 {
                if text[at] == 0x5C { at += 1 }
                guard at < end, text[at] >= 0x20, text[at] != 0x7F, mayBeWide || text[at] < 0x80
                else { return false }
                at += 1
            }
            return take(text, 0x22)
        }
        var afterDot = true
        while at < end, text[at] != 0x40 {
            let byte = text[at]
            if byte == 0x2E {
                guard !afterDot else { return false }
                afterDot = true
            } else {
                guard byte < 0x80 ? FormatReader.isAtom(byte) : mayBeWide else { return false }
                afterDot = false
            }
            at += 1
        }
        return at > start && !afterDot
    }

    /// RFC 5322, `atext`.
    private static func isAtom(_ byte: UInt8) -> Bool {
        guard !ASCII.isAlphanumeric(byte) else { return true }
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2F, 0x3D, 0x3F, 0x5E...0x60, 0x7B...0x7E:
            return true
        default: return false
        }
    }
}
