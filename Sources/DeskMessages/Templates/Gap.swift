import DeskBytes
import DeskJSON

/// A placeholder's place in a template's payload.
struct Gap {
    /// How a value is written.
    enum Form: Hashable {
        /// Inside a text, escaped.
        case text
        /// In place of the whole text, as a number.
        case number
        /// Inside a text, as a moment in UTC.
        case utc
        /// Inside a text, as the customer's language writes a day.
        case date
    }

    let name: String
    let form: Form
    /// The bytes that the value replaces; for a number the quotes too.
    let range: Range<Int>
    /// The text that holds it.
    ///
    /// Its pointer is worked out when it is needed: a pointer may be longer than the text, and a text
    /// may hold many places.
    let text: JSONValue
    /// The list whose element it stands in.
    var list: String?

    /// The name of an item's value, where it names one of the list that it stands in.
    var member: String? {
        guard let list, name.utf8.count > list.utf8.count + 1,
            name.utf8.starts(with: "\(list).".utf8)
        else { return nil }
        return String(decoding: name.utf8.dropFirst(list.utf8.count + 1), as: UTF8.self)
    }

    var pointer: String { text.path }

    /// Finds the placeholders of one text.
    static func scan(
        _ value: JSONValue, _ gaps: inout [Gap], _ problems: inout [TemplateProblem]
    ) {
        let raw = value.rawBytes
        var index = raw.startIndex
        while gaps.count <= TemplateForm.maximumGaps,
            let open = pair(of: UInt8(ascii: "{"), in: raw, from: index)
        {
            guard let close = pair(of: UInt8(ascii: "}"), in: raw, from: open + 2),
                let (name, form) = read(raw[(open + 2)..<close])
            else {
                problems.append(.badPlaceholder(pointer: value.path))
                return
            }
            var range = open..<close + 2
            if form == .number {
                range = open - 1..<close + 3
                guard range == value.range else {
                    problems.append(.badPlaceholder(pointer: value.path))
                    return
                }
            }
            gaps.append(Gap(name: name, form: form, range: range, text: value))
            index = close + 2
        }
    }

    /// The place of two equal bytes in a row.
    private static func pair(
        of byte: UInt8, in raw: ArraySlice<UInt8>, from start: Int
    ) -> Int? {
        var index = start
        while index + 1 < raw.endIndex {
            if raw[index] == byte, raw[index + 1] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The name and the form between two pairs of braces; nil for anything else.
    private static func read(_ inside: ArraySlice<UInt8>) -> (String, Form)? {
        let parts = inside.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        let words = parts.map { Array($0.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }) }
            .map { Array($0.reversed()) }
        guard let name = words.first, TemplateParameter.isName(name), words.count <= 2 else {
            return nil
        }
        let text = String(decoding: name, as: UTF8.self)
        guard words.count == 2 else { return (text, .text) }
        if words[1].elementsEqual("number".utf8) { return (text, .number) }
        if words[1].elementsEqual("utc".utf8) { return (text, .utc) }
        if words[1].elementsEqual("date".utf8) { return (text, .date) }
        return nil
    }

    /// The list that is repeated where a key is `{{name}}` and nothing else; nil for any other key.
    static func repeatedList(_ key: [UInt8]) -> String? {
        guard key.starts(with: Array("{{".utf8)), key.suffix(2).elementsEqual("}}".utf8),
            key.count > 4, let (name, form) = read(key[2..<(key.count - 2)]), form == .text
        else { return nil }
        return name
    }

    /// What keeps a value from being put here; nil when nothing does.
    ///
    /// - Parameter place: what the value is called, for that of an item its path.
    func problem(with value: JSONValue, at place: String? = nil) -> TemplateProblem? {
        let name = place ?? self.name
        return switch form {
        case .text: nil
        case .number:
            value.kind == .number ? nil : .wrongType(name: name, expected: .number)
        case .utc:
            value.stringBytes.flatMap { SlotTime($0) } == nil
                ? .wrongType(name: name, expected: .date) : nil
        case .date:
            value.stringBytes.map(TemplateParameter.isDate) == true
                ? nil : .wrongType(name: name, expected: .date)
        }
    }

    /// A value in this place's form; an optional one that was not given leaves nothing, or `null`
    /// where a number belongs.
    ///
    /// - Parameter locale: the customer's, such as `ja_JP`; days are written as it does.
    func written(_ value: JSONValue?, locale: [UInt8]?) -> ArraySlice<UInt8> {
        switch form {
        case .text:
            guard let value else { return [] }
            guard let text = value.stringBytes else { return value.rawBytes }
            return Self.escaped(text)
        case .date:
            return Self.escaped(WrittenDay(value?.stringBytes ?? []).text(in: locale ?? []))
        case .number: return value?.rawBytes ?? ArraySlice("null".utf8)
        case .utc:
            let time = value?.stringBytes.flatMap { SlotTime($0) }
            return ArraySlice((time?.utcText ?? "").utf8)
        }
    }

    /// A text as it stands in JSON.
    ///
    /// The quotes of the surrounding text stay; only what is between them goes in.
    private static func escaped(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var quoted: [UInt8] = []
        JSONWriter.append(utf8: text, to: &quoted)
        return quoted.dropFirst().dropLast()
    }
}
