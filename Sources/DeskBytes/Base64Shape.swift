/// Looks at base64 without decoding it.
package enum Base64Shape {
    /// How many bytes the text encodes; nil when it is no padded standard base64.
    package static func byteCount(of text: [UInt8]) -> Int? {
        guard !text.isEmpty, text.count % 4 == 0 else { return nil }
        var end = text.count
        while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for byte in text[..<end] where !isLetter(byte) { return nil }
        return text.count / 4 * 3 - (text.count - end)
    }

    /// Whether the text consists of hexadecimal digits only.
    package static func isHexadecimal(_ text: [UInt8]) -> Bool {
        text.count > 15 && text.count % 2 == 0 && text.allSatisfy { ASCII.hexValue($0) != nil }
    }

    /// Says what is wrong with a text that is no base64.
    package static func describe(_ text: [UInt8]) -> String {
        if text.isEmpty { return "an empty text" }
        if text.starts(with: Array("data:".utf8)) { return "a data: address" }
        let body = text.prefix { $0 != UInt8(ascii: "=") }
        if let place = body.firstIndex(where: { !isLetter($0) }) {
            let byte = text[place]
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return "base64url" }
            if byte == 0x0A || byte == 0x0D || byte == 0x20 {
                return "a line break or space at byte \(place)"
            }
            return "a character that is no base64 at byte \(place)"
        }
        return "\(text.count) characters, which is no multiple of four"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}
