import DeskBytes

/// Texts as the headers of an e-mail have them.
///
/// What is not short printable ASCII becomes encoded words (RFC 2047). No text can end its line:
/// a control character becomes a space. And none turns the words around it.
enum HeaderText {
    /// Bytes of text in one encoded word; its line has at most 76 characters.
    private static let bytesOfWord = 39
    /// The longest text that stands in its line as it is.
    private static let plainBytes = 66

    /// A text such as a subject.
    static func line(_ text: String) -> String {
        let text = cleaned(text)
        return isPlain(text) ? text : words(text)
    }

    /// A name before an address.
    static func phrase(_ text: String) -> String {
        let text = cleaned(text)
        guard isPlain(text) else { return words(text) }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= plainBytes && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && !text.contains("=?")
    }

    private static func cleaned(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                withoutTurns(text).unicodeScalars
                    .map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// A text without the marks by which a name in it would turn other words around.
    static func withoutTurns(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
                }))
    }

    /// Encoded words, one in each line; none divides a character.
    private static func words(_ text: String) -> String {
        var pieces: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if pieces[pieces.count - 1].count + bytes.count > bytesOfWord { pieces.append([]) }
            pieces[pieces.count - 1] += bytes
        }
        return pieces.map { "=?UTF-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
