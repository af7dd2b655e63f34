import DeskBytes

/// The variables of a template's text: numbers or names in double braces, such as `{{1}}`.
enum WhatsAppPlaceholders {
    /// A piece of a text.
    private enum Piece {
        case words(Substring)
        case variable(String)
    }

    /// The variables, each once: numbers in their order, names as they come.
    static func names(in text: String) -> [String] {
        var names: [String] = []
        for case .variable(let name) in pieces(of: text) where !names.contains(name) {
            names.append(name)
        }
        let numbers = names.compactMap { Int($0) }
        return numbers.count == names.count ? numbers.sorted().map { String($0) } : names
    }

    /// The text with a value in the place of each variable; one without a value stays.
    static func fill(_ text: String, _ value: (String) -> String?) -> String {
        var filled = ""
        for piece in pieces(of: text) {
            switch piece {
            case .words(let words): filled += words
            case .variable(let name): filled += value(name) ?? "{{\(name)}}"
            }
        }
        return filled
    }

    private static func pieces(of text: String) -> [Piece] {
        var found: [Piece] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"),
            let close = rest[open.upperBound...].firstRange(of: "}}")
        {
            let inner = rest[open.upperBound..<close.lowerBound]
            let name = inner.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let isName =
                !name.isEmpty
                && name.allSatisfy { $0.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == 0x5F } }
            if isName {
                found.append(.words(rest[..<open.lowerBound]))
                // `{{01}}` and `{{1}}` would be one number and two keys.
                let text = String(name)
                found.append(.variable(Int(text).map { String($0) } ?? text))
            } else {
                found.append(.words(rest[..<close.upperBound]))
            }
            rest = rest[close.upperBound...]
        }
        found.append(.words(rest))
        return found
    }
}
