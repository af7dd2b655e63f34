/// Hexadecimal text of bytes.
public enum Hex {
    /// Two lower-case digits a byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: encodeBytes(bytes), as: UTF8.self)
    }

    /// Two lower-case digits a byte, as bytes.
    public static func encodeBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            out.append(ASCII.hexDigit(byte >> 4))
            out.append(ASCII.hexDigit(byte & 15))
        }
        return out
    }

    /// The bytes of an even number of digits, either case; nil for anything else.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count / 2)
        var index = 0
        while index < text.count {
            guard let high = ASCII.hexValue(text[index]), let low = ASCII.hexValue(text[index + 1])
            else { return nil }
            out.append(high << 4 | low)
            index += 2
        }
        return out
    }

    /// The bytes of an even number of digits, either case; nil for anything else.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }
}
