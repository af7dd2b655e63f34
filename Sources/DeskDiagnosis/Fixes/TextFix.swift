import DeskBytes

/// A way to bring a text into the form its field asks for; schemas name them in `x-fix`.
package enum TextFix: String, CaseIterable {
    /// White space around the text goes.
    case trim
    /// Small letters become capitals.
    case upper
    /// Capitals become small letters.
    case lower
    /// Hyphens become underscores.
    case underscore
    /// The prefix of 2017 before a business's UUID goes.
    case bareBusiness
    /// Percent escapes are decoded once.
    case percent
    /// A comma before one or two decimals becomes a point.
    case decimalPoint
    /// The two zeros of a key are put before 64 hexadecimal digits.
    case keyPrefix
    /// The base64 of a key's 32 or 33 bytes becomes hexadecimal.
    case keyFromBase64
    /// Hexadecimal digits become the base64 of their bytes.
    case base64FromHex
    /// base64 of bytes becomes hexadecimal.
    case hexFromBase64
    /// Letters of base64url become those of standard base64, padded.
    case standardBase64

    /// The text in its new form; nil where it has nothing to do with this way.
    package func fix(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        switch self {
        case .trim: return Self.changed(text, Self.trimmed(bytes))
        case .upper: return Self.changed(text, bytes.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 })
        case .lower: return Self.changed(text, bytes.map(ASCII.lowercased))
        case .underscore:
            return Self.changed(text, bytes.map { $0 == UInt8(ascii: "-") ? 0x5F : $0 })
        case .bareBusiness:
            let prefix = Array("urn:biz:".utf8)
            return bytes.starts(with: prefix) ? Self.text(bytes.dropFirst(prefix.count)) : nil
        case .percent: return Self.percentDecoded(bytes)
        case .decimalPoint: return Self.withPoint(bytes)
        case .keyPrefix:
            // With two zeros in front it may as well be a key that was cut off.
            return bytes.count == 64 && !text.hasPrefix("00") ? "00" + text : nil
        case .keyFromBase64:
            guard let key = Base64.decode(bytes), key.count == 32 || key.count == 33 else {
                return nil
            }
            return (key.count == 32 ? "00" : "") + Hex.encode(key)
        case .base64FromHex: return Hex.decode(bytes).map { Base64.encode($0) }
        case .hexFromBase64: return Base64.decode(bytes).map { Hex.encode($0) }
        case .standardBase64: return Self.changed(text, Self.standard(bytes))
        }
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func changed(_ text: String, _ bytes: [UInt8]) -> String? {
        text.utf8.elementsEqual(bytes) ? nil : Self.text(bytes)
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace = { (byte: UInt8) in byte <= 0x20 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(bytes[first...last])
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> String? {
        guard let decoded = PercentCoding.decode(bytes, keepsStrayPercents: true),
            decoded.count < bytes.count
        else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func withPoint(_ bytes: [UInt8]) -> String? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")),
            (1...2).contains(bytes.count - comma - 1)
        else { return nil }
        var whole = bytes
        whole[comma] = UInt8(ascii: ".")
        return text(whole)
    }

    /// Standard, padded base64 of a text that has the other two letters, white space, or lacks
    /// padding.
    package static func standard(_ bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(bytes.count + 2)
        for byte in bytes where byte > 0x20 && byte != UInt8(ascii: "=") {
            switch byte {
            case UInt8(ascii: "-"): letters.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): letters.append(UInt8(ascii: "/"))
            default: letters.append(byte)
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return letters
    }
}
