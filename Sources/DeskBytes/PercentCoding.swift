/// Percent escapes (RFC 3986 2.1).
public enum PercentCoding {
    /// Resolves every escape; nil when a percent sign is not followed by two hexadecimal digits, unless
    /// such a sign stays as it is.
    public static func decode(
        _ bytes: some Collection<UInt8>, plusIsSpace: Bool = false, keepsStrayPercents: Bool = false
    ) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            var ahead = rest
            if let high = ahead.next().flatMap(ASCII.hexValue),
                let low = ahead.next().flatMap(ASCII.hexValue)
            {
                decoded.append(high << 4 | low)
                rest = ahead
            } else if keepsStrayPercents {
                decoded.append(byte)
            } else {
                return nil
            }
        }
        return decoded
    }

    /// Escapes everything but letters, digits, `-._~` and the characters to keep; without these the text
    /// is valid anywhere in a URL.
    public static func encode(_ text: String, keeping kept: String = "") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                append(byte, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends one byte as a percent sign and two upper-case digits.
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "%"))
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }

    /// Whether no encoder escapes a byte (RFC 3986 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~".utf8.contains(byte)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
