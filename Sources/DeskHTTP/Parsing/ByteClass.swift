/// What a byte may be used for in HTTP/1.1 text.
enum ByteClass {
    /// RFC 9110 5.6.2: the bytes of a token, so of methods, field names and cookie names.
    static func isToken(_ byte: UInt8) -> Bool { has(tokenLow, tokenHigh, byte) }

    /// RFC 9110 5.5: visible bytes, space, tab and bytes above 0x7F.
    static func isFieldText(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    /// RFC 3986 3.3: the bytes of a path as written, slashes and percent signs included.
    static func isPath(_ byte: UInt8) -> Bool { has(pathLow, pathHigh, byte) }

    /// Visible ASCII but for the four that never appear in a query: quote, hash and angle brackets.
    static func isQuery(_ byte: UInt8) -> Bool {
        guard byte > 0x20, byte < 0x7F else { return false }
        return byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "#")
            && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
    }

    /// Whether it is one of 0 to 9.
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// The byte, A to Z in lower case.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    // One bit a byte, below 64 and from 64 on; literals, since this is asked for every byte of a head.
    private static var tokenLow: UInt64 { 0x03FF_6CFA_0000_0000 }
    private static var tokenHigh: UInt64 { 0x57FF_FFFF_C7FF_FFFE }
    private static var pathLow: UInt64 { 0x2FFF_FFF2_0000_0000 }
    private static var pathHigh: UInt64 { 0x47FF_FFFE_87FF_FFFF }

    private static func has(_ low: UInt64, _ high: UInt64, _ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
}
