/// Base64 after RFC 4648, both alphabets, read strictly.
public enum Base64 {
    /// The two alphabets of RFC 4648.
    public enum Alphabet: Sendable {
        /// `+` and `/`, section 4.
        case standard
        /// `-` and `_`, section 5.
        case url
    }

    /// What the `=` signs at the end have to be.
    public enum Padding: Sendable {
        /// The text is filled up to a multiple of four.
        case required
        /// No `=` may occur.
        case forbidden
        /// Filled up completely or not at all.
        case optional
    }

    /// The text of the bytes; padded in the standard alphabet, unpadded in the URL alphabet.
    public static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> String {
        String(decoding: encodeBytes(bytes, alphabet: alphabet), as: UTF8.self)
    }

    /// The text of the bytes with a stated padding, as bytes.
    public static func encodeBytes(
        _ bytes: [UInt8], alphabet: Alphabet = .standard, padded: Bool? = nil
    ) -> [UInt8] {
        let letters = alphabet == .standard ? standardLetters : urlLetters
        let fills = padded ?? (alphabet == .standard)
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index + 3 <= bytes.count {
            let group =
                UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
                | UInt32(bytes[index + 2])
            out.append(letters[Int(group >> 18)])
            out.append(letters[Int(group >> 12 & 63)])
            out.append(letters[Int(group >> 6 & 63)])
            out.append(letters[Int(group & 63)])
            index += 3
        }
        switch bytes.count - index {
        case 1:
            let group = UInt32(bytes[index]) << 16
            out.append(letters[Int(group >> 18)])
            out.append(letters[Int(group >> 12 & 63)])
            if fills { out.append(contentsOf: [0x3D, 0x3D]) }
        case 2:
            let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
            out.append(letters[Int(group >> 18)])
            out.append(letters[Int(group >> 12 & 63)])
            out.append(letters[Int(group >> 6 & 63)])
            if fills { out.append(0x3D) }
        default: break
        }
        return out
    }

    /// The bytes that the text encodes, or nil when it is not exactly one canonical encoding.
    ///
    /// No white space, no foreign letter, no stray bits in the last letter. Without a stated
    /// padding the standard alphabet requires it and the URL alphabet forbids it.
    public static func decode(
        _ text: [UInt8], alphabet: Alphabet = .standard, padding: Padding? = nil
    ) -> [UInt8]? {
        decode(text.span, alphabet: alphabet, padding: padding)
    }

    /// The bytes that the text encodes, or nil when it is not exactly one canonical encoding.
    public static func decode(
        _ text: Span<UInt8>, alphabet: Alphabet = .standard, padding: Padding? = nil
    ) -> [UInt8]? {
        let rule = padding ?? (alphabet == .standard ? .required : .forbidden)
        var end = text.count
        while end > 0, text[end - 1] == 0x3D, text.count - end < 2 { end -= 1 }
        let fill = text.count - end
        guard end % 4 != 1 else { return nil }
        let missing = (4 - end % 4) % 4
        switch rule {
        case .required: guard fill == missing else { return nil }
        case .forbidden: guard fill == 0 else { return nil }
        case .optional: guard fill == missing || fill == 0 else { return nil }
        }
        let values = alphabet == .standard ? standardValues : urlValues
        var out: [UInt8] = []
        out.reserveCapacity(end / 4 * 3 + 2)
        var index = 0
        while index + 4 <= end {
            let a = values[Int(text[index])]
            let b = values[Int(text[index + 1])]
            let c = values[Int(text[index + 2])]
            let d = values[Int(text[index + 3])]
            guard a | b | c | d < 64 else { return nil }
            out.append(a << 2 | b >> 4)
            out.append(b << 4 | c >> 2)
            out.append(c << 6 | d)
            index += 4
        }
        if end - index >= 2 {
            let a = values[Int(text[index])]
            let b = values[Int(text[index + 1])]
            let c = end - index == 3 ? values[Int(text[index + 2])] : 0
            guard a | b | c < 64 else { return nil }
            out.append(a << 2 | b >> 4)
            if end - index == 3 {
                guard c & 3 == 0 else { return nil }
                out.append(b << 4 | c >> 2)
            } else {
                guard b & 15 == 0 else { return nil }
            }
        }
        return out
    }

    /// The bytes that the text encodes, or nil when it is not exactly one canonical encoding.
    public static func decode(
        _ text: String, alphabet: Alphabet = .standard, padding: Padding? = nil
    ) -> [UInt8]? {
        decode(Array(text.utf8), alphabet: alphabet, padding: padding)
    }

    private static let standardLetters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlLetters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(of: standardLetters)
    private static let urlValues = values(of: urlLetters)

    private static func values(of letters: [UInt8]) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, letter) in letters.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }
}
