import DeskJSON

extension Fixer {
    /// The same value as another type; for null, nothing at all.
    func retypings(of value: JSONValue, _ allowed: String) -> [Edit] {
        if value.isNull { return Edit.remove(value).map { [$0] } ?? [] }
        let texts = [
            allowed.contains("a string") ? asString(value) : nil,
            allowed.contains("number") ? asNumber(value) : nil,
            allowed.contains("true or false") ? asTruth(value) : nil,
            allowed.contains("an array") ? asArray(value) : nil,
            allowed.contains("an object") ? asObject(value) : nil,
        ]
        return texts.compactMap { $0 }.map { .replace(value, with: $0) }
    }

    private func asString(_ value: JSONValue) -> String? {
        switch value.kind {
        case .number, .boolean: Edit.quoted(value.rawText)
        case .string, .null, .array, .object: nil
        }
    }

    private func asNumber(_ value: JSONValue) -> String? {
        guard let text = value.string, text.utf8.count <= 64 else { return nil }
        let number = TextFix.trim.fix(text) ?? text
        return JSONValue.parsed(Array(number.utf8))?.kind == .number ? number : nil
    }

    private func asTruth(_ value: JSONValue) -> String? {
        switch value.string.map(Fixer.bare) ?? Array(value.rawBytes) {
        case Array("true".utf8), Array("1".utf8), Array("yes".utf8): "true"
        case Array("false".utf8), Array("0".utf8), Array("no".utf8): "false"
        default: nil
        }
    }

    /// A lone object becomes the only element; a text, its words.
    private func asArray(_ value: JSONValue) -> String? {
        if value.kind == .object { return "[\(value.rawText)]" }
        guard let text = value.string else { return nil }
        let words = text.split { $0 == " " || $0 == "," }.map { Edit.quoted(String($0)) }
        return words.isEmpty ? nil : "[\(words.joined(separator: ", "))]"
    }

    private func asObject(_ value: JSONValue) -> String? {
        guard value.kind == .array, value.count == 1, let only = value[0], only.kind == .object
        else { return nil }
        return only.rawText
    }
}
