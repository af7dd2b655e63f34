/// Texts and gaps in one text: `5:hello,-,0:,`; exact for any bytes and readable in a shell.
package enum Fields {
    /// Writes the fields one after the other.
    package static func write(_ fields: [String?]) -> String {
        var text = ""
        for field in fields {
            if let field {
                text += "\(field.utf8.count):\(field),"
            } else {
                text += "-,"
            }
        }
        return text
    }

    /// Reads what `write` wrote; nil when it is anything else.
    package static func read(_ text: String) -> [String?]? {
        let bytes = Array(text.utf8)
        var fields: [String?] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "-") {
                guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ",") else {
                    return nil
                }
                fields.append(nil)
                place += 2
                continue
            }
            var count = 0
            let digits = place
            while place < bytes.count, (0x30...0x39).contains(bytes[place]), place - digits < 9 {
                count = count * 10 + Int(bytes[place] - 0x30)
                place += 1
            }
            guard place > digits, place < bytes.count, bytes[place] == UInt8(ascii: ":"),
                count < bytes.count - place - 1,
                bytes[place + 1 + count] == UInt8(ascii: ",")
            else { return nil }
            let field = bytes[(place + 1)..<(place + 1 + count)]
            guard let field = String(validating: field, as: UTF8.self) else { return nil }
            fields.append(field)
            place += count + 2
        }
        return fields
    }
}
