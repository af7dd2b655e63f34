import DeskBytes

/// The `host[:port]` of a Host field or an absolute target (RFC 3986 3.2).
enum Authority {
    /// Whether it is a name or address with an optional port; user names and escapes are refused.
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        let rest: ArraySlice<UInt8>
        if first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = text[(text.startIndex + 1)..<end]
            guard isIPv6(address) else { return false }
            rest = text[(end + 1)...]
        } else {
            let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            guard end > text.startIndex, end - text.startIndex <= 255,
                text[..<end].allSatisfy(isNameByte)
            else { return false }
            rest = text[end...]
        }
        return rest.isEmpty || isPort(rest)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        let low = ByteClass.lowercased(byte)
        return (low >= 0x61 && low <= 0x7A) || ByteClass.isDigit(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy(ByteClass.isDigit)
        else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    /// A coarse look: digits, colons and at most 45 bytes; the address is never connected to.
    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        let isAllowed = text.allSatisfy {
            ASCII.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        return isAllowed && (2...45).contains(text.count)
            && text.count(where: { $0 == UInt8(ascii: ":") }) >= 2
    }
}
