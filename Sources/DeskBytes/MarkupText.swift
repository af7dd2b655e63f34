/// Texts in HTML and XML.
public enum MarkupText {
    /// A text as it stands in elements and in quoted attributes: the five characters with a meaning there are
    /// references, all others are as they were.
    public static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        // Scalar by scalar: with a mark that combines behind it, a sign is part of another character.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            case "'": escaped += "&#39;".unicodeScalars
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
