import DeskModel

/// The data of the events of labels, as JSON text.
enum LabelText {
    /// What `label.saved` says.
    static func event(_ label: Label, by author: Author) -> [UInt8] {
        var text = "{\"label\":{\"id\":\"\(label.id.text)\",\"business\":\"\(label.business.text)\""
        text += ",\"name\":\(quoted(label.name)),\"colour\":\(quoted(label.colour))"
        text += ",\"order\":\(label.order),\"retired\":\(label.isRetired)}"
        text += ",\"by\":{\"type\":\(quoted(author.kind)),\"id\":\(quoted(author.name))}}"
        return Array(text.utf8)
    }

    /// A text as JSON writes it (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
