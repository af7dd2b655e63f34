package import DeskJSON

/// Works out edits for what a schema found, where the fix needs no thought.
///
/// What it proposes is tried out before it is offered, see ``Probe``.
package struct Fixer {
    let notes: FixNotes
    /// All that the schema found.
    let findings: [SchemaFinding]
    /// What `bid` has to be in a message whose data is no app's.
    private let appleBid: String

    /// The current names of members that clients often call by another name.
    private let currentNames: [String: String]

    /// A fixer of what one judgement found by the schema.
    package init(
        notes: FixNotes, findings: [SchemaFinding], appleBid: String,
        currentNames: [String: String]
    ) {
        self.notes = notes
        self.findings = findings
        self.appleBid = appleBid
        self.currentNames = currentNames
    }

    /// The ways to fix a finding, the likeliest first.
    package func proposals(for finding: SchemaFinding) -> [[Edit]] {
        if finding.isAboutKey { return [renaming(of: finding)] }
        switch finding.keyword {
        case "required", "dependentRequired": return additions(for: finding).map { [$0] }
        case "type": return retypings(of: finding.value, finding.allowed).map { [$0] }
        case "enum", "const": return choices(for: finding).map { [$0] }
        case "pattern", "format": return reformings(of: finding).map { [$0] }
        case "minLength", "minItems":
            guard finding.actual == 0, let edit = Edit.remove(finding.value) else { return [] }
            return [[edit]]
        case "uniqueItems": return Edit.remove(finding.value).map { [[$0]] } ?? []
        case "contains": return with3DS(finding.value).map { [[$0]] } ?? []
        default: return []
        }
    }

    /// Another name for a key: its current one, or the known one it is close to.
    private func renaming(of finding: SchemaFinding) -> [Edit] {
        let value = finding.value
        let removal = Edit.remove(value).map { [$0] } ?? []
        guard let name = finding.name, let parent = value.parent else { return [] }
        guard let better = betterName(for: finding) else {
            // Where a member is missing too, the unknown one may be what was meant by it; and what
            // is more than one value is its author's to move.
            let isMissingOne = findings.contains {
                $0.keyword == "required" && $0.value.range == parent.range
            }
            let isOneValue = !value.isContainer && !isMissingOne
            return isOneValue || Self.ignored.contains(name) ? removal : []
        }
        // Of two keys that mean the same one, only the first gets its name.
        let isTaken = findings.contains { other in
            other.isAboutKey && other.range.lowerBound < finding.range.lowerBound
                && betterName(for: other) == better
                && other.value.parent?.range == parent.range
        }
        if isTaken { return [] }
        if let other = parent[better] {
            // Both names at once: the current one stays, if they say the same.
            return other.rawBytes.elementsEqual(value.rawBytes) ? removal : []
        }
        return Self.renaming(finding.range, of: value, to: better)
    }

    /// Gives a key another name.
    package static func renaming(_ key: Range<Int>, of value: JSONValue, to better: String)
        -> [Edit]
    {
        let renaming = Edit.rename(key, to: better)
        // 2017's data.timePicker.event is one level deeper than data.event.
        guard let inner = value[better], value.count == 1 else { return [renaming] }
        return [
            renaming,
            Edit(start: value.range.lowerBound, end: inner.range.lowerBound, replacement: ""),
            Edit(start: inner.range.upperBound, end: value.range.upperBound, replacement: ""),
        ]
    }

    private func betterName(for finding: SchemaFinding) -> String? {
        finding.name.flatMap { OldSpelling.current(of: $0) ?? currentNames[$0] }
            ?? finding.suggestion
    }

    /// Members seen in the wild that devices pass over.
    private static let ignored: Set<String> = ["selectedIndex", "selectedIdentifier"]

    private func additions(for finding: SchemaFinding) -> [Edit] {
        guard let name = finding.name else { return [] }
        let path = finding.value.path
        let misspelt = findings.first {
            $0.isAboutKey && $0.suggestion == name && $0.value.parent?.path == path
        }
        if let misspelt { return [.rename(misspelt.range, to: name)] }
        guard let text = onlyValue(of: name, in: finding.value, path) else { return [] }
        return [.insert(name, text, into: finding.value)]
    }

    /// The one value that the protocol allows for a member; nil where it allows several.
    private func onlyValue(
        of name: String, in object: JSONValue, _ path: String
    ) -> String? {
        switch (path, name) {
        case ("/interactiveData/data", "version"): "\"1.0\""
        case ("/interactiveData", "bid"):
            object["data"] == nil ? nil : Edit.quoted(appleBid)
        case ("/interactiveData/data/dynamic", "template"): "\"messageForms\""
        case ("/interactiveData/data/authenticate/oauth2", "responseType"): "\"code\""
        case ("", "v"): "1"
        default: nil
        }
    }

    /// One of the values allowed: the same but for its type, case or separators, or the closest.
    private func choices(for finding: SchemaFinding) -> [Edit] {
        if let current = notes.currentValue(for: finding) {
            return [.replace(finding.value, withString: current)]
        }
        guard let place = FixNotes.place(ofKeyword: finding.keywordLocation),
            let allowed = notes.choices[place], !finding.value.isContainer
        else { return [] }
        let text = finding.value.string ?? finding.value.rawText
        let bare = Self.bare(text)
        let number = Double(text)
        // Of short texts and of figures many are one letter apart: "1.3" is no slip for "1.0".
        let isWord = text.utf8.count { ($0 | 0x20) &- 0x61 < 26 } >= 4
        let best =
            allowed.first { Self.bare($0.string ?? $0.rawText) == bare }
            ?? allowed.first { number != nil && Double($0.string ?? $0.rawText) == number }
            ?? allowed.first { isWord && $0.string != nil && $0.string == finding.suggestion }
            ?? (allowed.count == 1 ? allowed.first : nil)
        return best.map { [.replace(finding.value, with: $0.rawText)] } ?? []
    }

    /// The letters and digits of a text, in one case.
    package static func bare(_ text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A: byte
            case 0x41...0x5A: byte | 0x20
            default: byte < 0x80 ? nil : byte
            }
        }
    }

    /// The text in another form: those the schema names, and without white space around it.
    private func reformings(of finding: SchemaFinding) -> [Edit] {
        guard let text = finding.value.string, text.utf8.count <= Self.maximumReformedBytes,
            let place = FixNotes.place(ofKeyword: finding.keywordLocation)
        else { return [] }
        let trimmed = TextFix.trim.fix(text)
        let ways = notes.fixes[place] ?? []
        let candidates = [trimmed] + ways.map { $0.fix(trimmed ?? text) }
        return candidates.compactMap { $0 }.map { .replace(finding.value, withString: $0) }
    }

    /// Longest text that is brought into another form, in bytes; a longer one is left alone.
    private static let maximumReformedBytes = 4_096

    /// supports3DS in a list that lacks it, in place of one that is spelt like it.
    private func with3DS(_ list: JSONValue) -> Edit? {
        let name = "supports3DS"
        let misspelt = list.elements.first { element in
            element.string.map { Self.bare($0) == Self.bare(name) } ?? false
        }
        if let misspelt { return .replace(misspelt, withString: name) }
        return .insert(Edit.quoted(name), intoArray: list)
    }
}
