import DeskBytes
import DeskJSON

/// JSON that was cut out of a log, a program or a web page with something of it left around.
extension Doctor {
    /// Most places in a text at which a value is looked for.
    private static let maximumTries = 24

    /// A value with something else around it, or escaped as a whole.
    static func wrapping(of text: [UInt8]) -> Layer? {
        if let inner = textOfString(text) {
            return Layer(
                defects: [
                    whole(
                        .escapedJSON, 0..<text.count, of: text, found: String(shown: text),
                        repaired: inner,
                        "The JSON stands within a JSON text: it was encoded twice, by a log or by "
                            + "a second JSON.stringify.")
                ], text: inner)
        }
        if let inner = withoutEntities(text) {
            return Layer(
                defects: [
                    whole(
                        .htmlEscaped, 0..<text.count, of: text, found: String(shown: text),
                        repaired: inner,
                        "Quotation marks are written as HTML: copy the source, not the page.")
                ], text: inner)
        }
        return embedded(in: text)
    }

    /// The content of a text that is one JSON string with JSON in it.
    private static func textOfString(_ text: [UInt8]) -> [UInt8]? {
        guard let content = value(text)?.stringBytes else { return nil }
        if isPayload(content) { return content }
        // Twice in a text: the next layer decides, when there is JSON at its end.
        return textOfString(content) == nil ? nil : content
    }

    private static func withoutEntities(_ text: [UInt8]) -> [UInt8]? {
        let entities: [(name: String, byte: String)] = [
            ("&quot;", "\""), ("&#34;", "\""), ("&#x22;", "\""), ("&#39;", "'"), ("&#x27;", "'"),
            ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ]
        guard text.contains(UInt8(ascii: "&")) else { return nil }
        var out: [UInt8] = []
        var place = 0
        while place < text.count {
            let rest = text[place...]
            if rest.first == UInt8(ascii: "&"),
                let entity = entities.first(where: { rest.starts(with: $0.name.utf8) })
            {
                out += entity.byte.utf8
                place += entity.name.utf8.count
            } else {
                out.append(text[place])
                place += 1
            }
        }
        return isPayload(out) ? out : nil
    }

    /// A value somewhere in a text.
    private static func embedded(in text: [UInt8]) -> Layer? {
        guard let found = Embedded.find(in: text, from: 0, tries: maximumTries) else { return nil }
        let rest = text[found.range.upperBound...]
        let before = text[..<found.range.lowerBound]
        if Embedded.find(in: text, from: found.range.upperBound, tries: 4) != nil {
            return Layer(
                defects: [
                    whole(
                        .severalTexts, found.range, of: text, found: "more than one JSON text",
                        repaired: nil,
                        "There are several JSON texts in one; separate them, one message each.")
                ], text: nil)
        }
        var defects: [Defect] = []
        if !isBlank(before) || !isBlank(rest) {
            let around = [before, rest].filter { !isBlank($0) }.map { String(shown: $0) }
            defects.append(
                whole(
                    .logLine, found.range, of: text, found: around.joined(separator: " … "),
                    repaired: found.text,
                    "Something else stands around the JSON, as in a line of a log: copy the JSON "
                        + "alone."))
        }
        if found.isEscaped {
            defects.append(
                whole(
                    .escapedJSON, found.range, of: text, found: String(shown: text[found.range]),
                    repaired: found.text,
                    "The quotation marks of the JSON are escaped, as a log writes a text within a "
                        + "text."))
        }
        defects += found.defects
        return defects.isEmpty ? nil : Layer(defects: defects, text: found.text)
    }

    /// A record of a log, itself JSON, of which one text is a whole message.
    static func record(of root: JSONValue) -> Layer? {
        guard root.kind == .object, !isMessage(root) else { return nil }
        var found: [JSONValue] = []
        search(root, depth: 0, &found)
        guard found.count == 1, let inner = found[0].stringBytes else { return nil }
        let defect = Defect(
            kind: .logRecord, pointer: found[0].path,
            place: TextPlace(found[0].range, in: root.document.bytes),
            found: String(shown: found[0].rawBytes), repaired: String(shown: inner), isNote: false,
            sentence: "The message is a text within a record of a log: copy that text alone.")
        return Layer(defects: [defect], text: inner)
    }

    private static func search(_ value: JSONValue, depth: Int, _ found: inout [JSONValue]) {
        guard depth < 4, found.count < 2 else { return }
        switch value.kind {
        case .string:
            let raw = value.rawBytes
            guard raw.dropFirst().first(where: { !isSpace($0) }) == 0x7B,
                let inner = value.stringBytes, let root = container(inner), isMessage(root)
            else { return }
            found.append(value)
        case .object: for member in value.members { search(member.value, depth: depth + 1, &found) }
        case .array: for element in value.elements { search(element, depth: depth + 1, &found) }
        case .number, .boolean, .null: break
        }
    }

    /// Whether an object says that it is a message of the protocol.
    private static func isMessage(_ root: JSONValue) -> Bool {
        let types = ["text", "interactive", "richLink", "typing_start", "typing_end", "close"]
        guard let type = root["type"] else { return root["interactiveData"] != nil }
        return types.contains { type.equals($0) }
    }
}
