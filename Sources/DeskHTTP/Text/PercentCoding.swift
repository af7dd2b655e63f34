/// Percent escapes (RFC 3986 2.1).
public enum PercentCoding {
    /// Resolves every escape; nil when a percent sign is not followed by two hexadecimal digits.
    public static func decode(
        _ bytes: some Collection<UInt8>, plusIsSpace: Bool
    ) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(ByteClass.hexValue),
                    let low = rest.next().flatMap(ByteClass.hexValue)
                else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return decoded
    }

    /// Escapes everything but letters, digits and `-._~`, so that the text is valid anywhere in a URL.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            let isLetter = ByteClass.lowercased(byte) >= 0x61 && ByteClass.lowercased(byte) <= 0x7A
            if isLetter || ByteClass.isDigit(byte) || "-._~".utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
