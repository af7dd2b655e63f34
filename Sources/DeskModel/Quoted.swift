/// Formats texts for a sentence: in quotes, on one line, cut.
public enum Quoted {
    /// Most characters of a formatted text.
    private static let maximumScalars = 120

    /// The text in quotes.
    public static func text(_ text: String) -> String { "\"\(cut(text))\"" }

    /// The text on one line.
    public static func cut(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard place < maximumScalars else {
                scalars.append("\u{2026}")
                break
            }
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        return String(scalars)
    }
}
