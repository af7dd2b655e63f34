/// Text of bytes in 32 letters and digits, five bits each, for people who type it.
public enum Base32 {
    /// Which characters stand for five bits.
    public enum Alphabet: Sendable {
        /// `A` to `Z` and `2` to `7`, RFC 4648 section 6: what authenticator apps read.
        case standard
        /// Digits and letters without `I`, `L`, `O` and `U`: what is hard to confuse.
        case unambiguous
    }

    /// The text of the bytes, without `=` at its end.
    public static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> String {
        let letters = Array(letters(of: alphabet).utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var held: UInt32 = 0
        var bits = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(letters[Int(held >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { text.append(letters[Int(held << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func letters(of alphabet: Alphabet) -> String {
        switch alphabet {
        case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
        case .unambiguous: "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        }
    }
}
