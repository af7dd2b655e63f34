/// Marks within a text that a vendor shows as bold, italic, struck, code or links.
enum Markup {
    /// Whether Slack shows something of the text otherwise than it is written.
    static func isSlack(_ text: String) -> Bool {
        hasLink(text) || hasPair(text, of: ["*", "_", "~", "`"])
    }

    /// Whether WhatsApp shows something of the text otherwise than it is written.
    static func isWhatsApp(_ text: String) -> Bool {
        hasCode(text) || hasPair(text, of: ["*", "_", "~"])
    }

    /// Whether two of the same mark stand around words of one line.
    ///
    /// The first has no word before it and no space behind it, the second the other way round. `2 * 3` and `a_b_c`
    /// have none.
    private static func hasPair(_ text: String, of marks: Set<Unicode.Scalar>) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var open: [Unicode.Scalar: Int] = [:]
        for (place, scalar) in scalars.enumerated() {
            if scalar == "\n" || scalar == "\r" { open = [:] }
            guard marks.contains(scalar) else { continue }
            let before: Unicode.Scalar? = place > 0 ? scalars[place - 1] : nil
            let after: Unicode.Scalar? = place + 1 < scalars.count ? scalars[place + 1] : nil
            if let start = open[scalar] {
                if place > start + 1, !isSpace(before), !isWord(after) { return true }
            } else if !isWord(before), let after, after != scalar, !isSpace(after) {
                open[scalar] = place
            }
        }
        return false
    }

    /// Whether something stands between two rows of three backticks.
    private static func hasCode(_ text: String) -> Bool {
        var ticks = 0
        var start: Int?
        for (place, scalar) in text.unicodeScalars.enumerated() {
            ticks = scalar == "`" ? ticks + 1 : 0
            guard ticks == 3 else { continue }
            ticks = 0
            if let start {
                if place > start + 3 { return true }
            } else {
                start = place
            }
        }
        return false
    }

    /// Whether something stands between `<` and `>`.
    private static func hasLink(_ text: String) -> Bool {
        var start: Int?
        for (place, scalar) in text.unicodeScalars.enumerated() {
            if scalar == "<" {
                start = place
            } else if scalar == ">", let start, place > start + 1 {
                return true
            }
        }
        return false
    }

    private static func isSpace(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.isWhitespace == true
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let properties = scalar?.properties else { return false }
        return properties.isAlphabetic || properties.numericType != nil
    }
}

extension Shape {
    /// Whether a channel shows something of a text with markup, though nothing says that the text has any.
    public func showsMarkup(in text: String) -> Bool {
        switch self {
        case .whatsapp: Markup.isWhatsApp(text)
        case .slack: Markup.isSlack(text)
        case .messagesForBusiness, .rcs, .line, .telegram: false
        }
    }
}
