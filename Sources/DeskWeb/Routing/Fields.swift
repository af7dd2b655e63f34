import DeskBytes
public import DeskJSON
import DeskModel

/// Reads the members of a request's JSON object, strictly, and gathers everything wrong with it.
///
/// Payloads are not read with it: they are judged by the rulebook.
package struct Fields {
    /// Most findings of one body; further ones are not reported.
    package static let maximumFindings = 100

    private let root: JSONValue
    private var known: [String] = []
    private var findings: [RequestFinding] = []

    /// Parses a body.
    ///
    /// - Throws: `malformed_json` with the place, or `invalid` when it is no object.
    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(Problem) {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes, limits: limits)
        } catch {
            throw Problem(error)
        }
        try self.init(document.root)
    }

    /// Reads an object within a larger text.
    package init(_ value: JSONValue) throws(Problem) {
        root = value
        guard root.kind == .object else {
            throw Problem([
                RequestFinding(
                    .type, at: root, found: RequestFinding.shown(root), allowed: "an object",
                    fix: "Send one JSON object.")
            ])
        }
    }

    /// The member as it stands; nil when it is absent.
    package mutating func value(_ name: String) -> JSONValue? {
        known.append(name)
        return root[name]
    }

    /// Whether the member is absent or null.
    package mutating func isAbsent(_ name: String) -> Bool { value(name)?.isNull ?? true }

    /// The member as it stands, which must be there; a finding otherwise.
    package mutating func requireValue(_ name: String) -> JSONValue? {
        let value = value(name)
        if value == nil { noteMissing(name) }
        return value
    }

    /// A text without U+0000; nil when it is absent or null, or wrong, which is a finding.
    package mutating func text(_ name: String, bytes: ClosedRange<Int> = 0...1_024) -> String? {
        text(name, bytes, of: "bytes") { $0.utf8.count }
    }

    /// The same, bounded as schemas bound it: in characters, which are code points of Unicode.
    package mutating func text(_ name: String, characters: ClosedRange<Int>) -> String? {
        text(name, characters, of: "characters") { $0.unicodeScalars.count }
    }

    private mutating func text(
        _ name: String, _ bounds: ClosedRange<Int>, of unit: String, count: (String) -> Int
    ) -> String? {
        guard let value = value(name), !value.isNull else { return nil }
        guard let text = value.string else {
            note(.type, value, "a text", "Send \(name) as a JSON string.")
            return nil
        }
        let count = count(text)
        guard bounds.contains(count) else {
            findings.append(
                RequestFinding(
                    .value, at: value, found: "\(count) \(unit)",
                    allowed: "\(bounds.lowerBound) to \(bounds.upperBound) \(unit)",
                    limit: count < bounds.lowerBound ? bounds.lowerBound : bounds.upperBound,
                    actual: count,
                    fix: count < bounds.lowerBound ? "Send more of \(name)." : "Shorten \(name)."))
            return nil
        }
        // No text in a database of PostgreSQL's has it.
        guard !text.utf8.contains(0) else {
            findings.append(
                RequestFinding(
                    .value, at: value, found: "the character U+0000",
                    allowed: "every other character",
                    fix: "Take the character U+0000 out of \(name)."))
            return nil
        }
        return text
    }

    /// A text that must be there.
    package mutating func requireText(_ name: String, bytes: ClosedRange<Int> = 1...1_024)
        -> String?
    {
        isThere(name) ? text(name, bytes: bytes) : nil
    }

    /// A text that must be there, bounded in characters.
    package mutating func requireText(_ name: String, characters: ClosedRange<Int>) -> String? {
        isThere(name) ? text(name, characters: characters) : nil
    }

    private mutating func isThere(_ name: String) -> Bool {
        guard value(name)?.isNull ?? true else { return true }
        noteMissing(name)
        return false
    }

    /// A whole number; nil when it is absent, null or out of range, which is a finding.
    package mutating func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let value = value(name), !value.isNull else { return nil }
        guard let number = value.int, range.contains(number) else {
            note(
                .value, value, "a whole number from \(range.lowerBound) to \(range.upperBound)",
                "Send \(name) within these bounds.")
            return nil
        }
        return number
    }

    /// True or false; nil when it is absent, null or anything else, which is a finding.
    package mutating func claim(_ name: String) -> Bool? {
        guard let value = value(name), !value.isNull else { return nil }
        if value.bool == nil { note(.value, value, "true or false", "Send true or false.") }
        return value.bool
    }

    /// A word of a list; nil when it is absent, null or another, which is a finding.
    package mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _: Word.Type
    ) -> Word? where Word.RawValue == String {
        word(name, among: Array(Word.allCases)) { $0.rawValue }
    }

    /// One of some values by its word; nil when it is absent, null or another, which is a finding.
    package mutating func word<Word>(
        _ name: String, among words: [Word], text: (Word) -> String
    ) -> Word? {
        guard let value = value(name), !value.isNull else { return nil }
        let word = words.first { value.equals(text($0)) }
        if word == nil {
            let list = words.map(text).joined(separator: ", ")
            note(.value, value, "one of \(list)", "Send one of these words.")
        }
        return word
    }

    /// The elements of an array that must be there.
    package mutating func requireElements(_ name: String, count: ClosedRange<Int>) -> [JSONValue]? {
        guard let value = requireValue(name) else { return nil }
        guard value.kind == .array else {
            note(.type, value, "an array", "Send \(name) as a JSON array.")
            return nil
        }
        guard count.contains(value.count) else {
            findings.append(
                RequestFinding(
                    .value, at: value, found: "\(value.count) elements",
                    allowed: "\(count.lowerBound) to \(count.upperBound) elements",
                    limit: count.upperBound, actual: value.count,
                    fix: "Send fewer or more elements."))
            return nil
        }
        return Array(value.elements)
    }

    /// Notes that a value is not what it must be.
    package mutating func note(
        _ rule: RequestFinding.Rule, _ value: JSONValue, _ allowed: String, _ fix: String
    ) {
        findings.append(
            RequestFinding(
                rule, at: value, found: RequestFinding.shown(value), allowed: allowed, fix: fix))
    }

    /// Notes that a member is not what it must be.
    package mutating func note(_ name: String, _ allowed: String, _ fix: String) {
        note(.value, root[name] ?? root, allowed, fix)
    }

    /// Notes what else is wrong with the body.
    package mutating func note(_ finding: RequestFinding) { findings.append(finding) }

    /// Notes what is wrong with a member whose value must not be shown: `found` says what is wrong
    /// with it and nothing of what it is; `length` is the bound that it passes and its own number.
    package mutating func noteSecret(
        _ name: String, found: String, allowed: String, length: (limit: Int, actual: Int)? = nil,
        fix: String
    ) {
        findings.append(
            RequestFinding(
                .value, at: root[name] ?? root, found: found, allowed: allowed,
                limit: length?.limit, actual: length?.actual, fix: fix))
    }

    /// Ends the reading.
    ///
    /// - Throws: `invalid` with all that was found, unknown members included.
    package mutating func finish() throws(Problem) {
        for member in root.members where !known.contains(where: { member.keyEquals($0) }) {
            guard findings.count < Self.maximumFindings else { break }
            findings.append(
                RequestFinding(
                    .unknown, at: member.value, found: "an unknown member",
                    allowed: Set(known).sorted().joined(separator: ", "),
                    fix: "Take the member out."))
        }
        guard findings.isEmpty else { throw Problem(findings) }
    }

    /// Notes that a member is missing where there is more to state than its name.
    package mutating func noteMissing(found: String, allowed: String, fix: String) {
        findings.append(
            RequestFinding(.missing, at: root, found: found, allowed: allowed, fix: fix))
    }

    private mutating func noteMissing(_ name: String) {
        noteMissing(found: "no \(name)", allowed: "the member \(name)", fix: "Add \(name).")
    }
}

extension Problem {
    /// The refusal of a body that breaks rules of a request.
    package init(_ findings: [RequestFinding]) {
        self.init(
            .invalid, findings.count == 1 ? findings[0].sentence : "Several things are wrong.")
        errors = JSONWriter.array(findings) { $0.requestFinding($1) }
    }

    /// The refusal of a text that is no JSON.
    public init(_ error: JSONError) {
        self.init(
            .malformedJSON,
            error.code == .emptyText
                ? "The text is empty: send a JSON object, {} where there is nothing to state."
                : error.sentence)
        place = (error.position.line, error.position.column)
    }
}
