import DeskJSON

/// What our schemas say beside their keywords, by the place of the subschema.
struct SchemaNotes: Sendable {
    /// The rule that `x-rule` names.
    private(set) var rules: [String: Rule] = [:]
    /// What a text with a pattern has to look like, in the words of `x-form`.
    private(set) var forms: [String: String] = [:]
    /// The values that `enum` or `const` allows.
    private(set) var choices: [String: [JSONValue]] = [:]
    /// The current values of old ones, or of ones seen in the wild, that `x-old` lists.
    private(set) var oldValues: [String: [String: String]] = [:]
    /// What `x-mend` says may bring a text into its form.
    private(set) var mends: [String: [TextMend]] = [:]

    /// Reads a schema and all within it.
    mutating func collect(
        _ value: JSONValue, at place: String
    ) throws(RulebookError) {
        if let word = value["x-rule"]?.string {
            guard let rule = Rule(rawValue: word) else {
                throw RulebookError(name: place, sentence: "x-rule names no rule: \(word)")
            }
            rules[place] = rule
        }
        if let words = value["x-form"]?.string { forms[place] = words }
        if let list = value["enum"], list.kind == .array { choices[place] = list.list }
        if let only = value["const"] { choices[place] = [only] }
        for old in value["x-old"]?.members.map(\.self) ?? [] {
            guard let current = old.value.string else {
                throw RulebookError(name: place, sentence: "x-old says no value for \(old.key)")
            }
            oldValues[place, default: [:]][old.key] = current
        }
        for word in value["x-mend"]?.list ?? [] {
            guard let mend = word.string.flatMap({ TextMend(rawValue: $0) }) else {
                throw RulebookError(
                    name: place, sentence: "x-mend names no way to mend: \(word.rawText)")
            }
            mends[place, default: []].append(mend)
        }
        for member in value.members where member.value.isContainer {
            try collect(member.value, at: place + "/" + member.key)
        }
        for (index, element) in value.elements.enumerated() where element.isContainer {
            try collect(element, at: place + "/\(index)")
        }
    }

    /// The current value in place of an old one that a schema has found; nil for any other.
    func currentValue(for finding: SchemaFinding) -> String? {
        guard !oldValues.isEmpty, finding.keyword == "const" || finding.keyword == "enum",
            let place = Self.place(ofKeyword: finding.keywordLocation)
        else { return nil }
        return finding.value.string.flatMap { oldValues[place]?[$0] }
    }

    /// The place of the subschema that a keyword stands in.
    static func place(ofKeyword location: String) -> String? {
        let bytes = location.utf8
        return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(location[..<$0]) }
    }
}
