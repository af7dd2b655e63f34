/// Several texts in one, for columns that hold one value: a bar between them, and a backslash before a bar or
/// a backslash that is part of a text.
enum JoinedTexts {
    /// Puts texts together; none is nil, so that a column is empty.
    static func join(_ texts: [String]) -> String? {
        guard !texts.isEmpty else { return nil }
        return texts.map { text in
            var escaped = ""
            for scalar in text.unicodeScalars {
                if scalar == "|" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
                escaped.unicodeScalars.append(scalar)
            }
            return escaped
        }.joined(separator: "|")
    }

    /// Cuts texts apart; empty ones are left out.
    static func split(_ joined: String) -> [String] {
        var texts: [String] = []
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in joined.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped: isEscaped = true
            case "|" where !isEscaped:
                texts.append(String(text))
                text = String.UnicodeScalarView()
            default:
                text.append(scalar)
                isEscaped = false
            }
        }
        texts.append(String(text))
        return texts.filter { !$0.isEmpty }
    }
}
