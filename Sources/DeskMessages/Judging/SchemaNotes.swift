import DeskDiagnosis
import DeskJSON

/// What our schemas say beside their keywords, by the place of the subschema.
struct SchemaNotes: Sendable {
    /// The rule that `x-rule` names for whatever bounds the value.
    private(set) var rules: [String: Rule] = [:]
    /// The rules that `x-rule` names for single keywords, by the keyword's place.
    private(set) var rulesByKeyword: [String: Rule] = [:]
    /// What a text with a pattern has to look like, in the words of `x-form`.
    private(set) var forms: [String: String] = [:]
    /// Where the schemas have the keys of each name.
    private(set) var keys = KeyPlaces()
    /// What fixes of findings are made from.
    private(set) var fixes = FixNotes()

    /// Reads the schema of a file and all within it.
    mutating func collect(
        _ schema: JSONValue, of file: String, at place: String
    ) throws(RulebookError) {
        keys.add(file, schema)
        var path = Array(place.utf8)
        try collect(schema, &path)
    }

    /// Goes through all of it once; the few places that say something are written as text.
    private mutating func collect(
        _ value: JSONValue, _ path: inout [UInt8]
    ) throws(RulebookError) {
        for member in value.members {
            try note(member, at: path)
            guard member.value.isContainer else { continue }
            let end = path.count
            path.append(UInt8(ascii: "/"))
            path.append(contentsOf: member.keyBytes)
            try collect(member.value, &path)
            path.removeLast(path.count - end)
        }
        for (index, element) in value.elements.enumerated() where element.isContainer {
            let end = path.count
            path.append(contentsOf: "/\(index)".utf8)
            try collect(element, &path)
            path.removeLast(path.count - end)
        }
    }

    /// Notes what one member of a subschema says.
    private mutating func note(
        _ member: JSONMember, at path: [UInt8]
    ) throws(RulebookError) {
        var place: String { String(decoding: path, as: UTF8.self) }
        let value = member.value
        if member.keyEquals(Self.ruleKey), value.kind == .object {
            for keyword in value.members {
                rulesByKeyword["\(place)/\(keyword.key)"] = try rule(keyword.value, at: place)
            }
        } else if member.keyEquals(Self.ruleKey) {
            rules[place] = try rule(value, at: place)
        } else if member.keyEquals(Self.formKey), let words = value.string {
            forms[place] = words
        } else if member.keyEquals(Self.enumKey), value.kind == .array {
            fixes.choices[place] = value.list
        } else if member.keyEquals(Self.constKey) {
            fixes.choices[place] = [value]
        } else if member.keyEquals(Self.oldKey) {
            try noteOldValues(value, at: place)
        } else if member.keyEquals(Self.fixKey) {
            try noteFixes(value, at: place)
        }
    }

    private func rule(_ word: JSONValue, at place: String) throws(RulebookError) -> Rule {
        guard let rule = word.string.flatMap({ Rule(rawValue: $0) }) else {
            throw RulebookError(
                name: place, sentence: "x-rule names no rule: \(word.string ?? word.rawText)")
        }
        return rule
    }

    private static let ruleKey: StaticString = "x-rule"
    private static let formKey: StaticString = "x-form"
    private static let enumKey: StaticString = "enum"
    private static let constKey: StaticString = "const"
    private static let oldKey: StaticString = "x-old"
    private static let fixKey: StaticString = "x-fix"

    private mutating func noteOldValues(
        _ value: JSONValue, at place: String
    ) throws(RulebookError) {
        for old in value.members {
            guard let current = old.value.string else {
                throw RulebookError(name: place, sentence: "x-old says no value for \(old.key)")
            }
            fixes.oldValues[place, default: [:]][old.key] = current
        }
    }

    private mutating func noteFixes(_ value: JSONValue, at place: String) throws(RulebookError) {
        for word in value.list {
            guard let fix = word.string.flatMap({ TextFix(rawValue: $0) }) else {
                throw RulebookError(
                    name: place, sentence: "x-fix names no way to fix: \(word.rawText)")
            }
            fixes.fixes[place, default: []].append(fix)
        }
    }
}
