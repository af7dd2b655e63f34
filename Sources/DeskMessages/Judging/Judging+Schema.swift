import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Turns what a schema found into findings of the rulebook.
    mutating func takeOver(
        _ schemaFindings: [SchemaFinding], of schema: JSONSchema, named file: String,
        _ notes: SchemaNotes
    ) {
        let fixer = Fixer(
            notes: notes.fixes, findings: schemaFindings, appleBid: Self.appleBid,
            currentNames: Feature.mistakenNames)
        var probe = Probe(schema, root.document, slips: schemaFindings.count)
        // The verdict counts even without a reason: an invalid message never passes.
        if schemaFindings.isEmpty {
            note(
                .schemaMismatch, at: root, found: "a message that its schema refuses",
                allowed: "what the schema of this kind describes",
                fix: "Compare the message with the schema's examples.")
        }
        for finding in schemaFindings {
            guard let rule = rule(for: finding, notes) else { continue }
            let path = finding.value.path
            let words = SchemaWords(rule, finding, notes, in: file)
            // A rule of ours that has spoken here already said it better; of several keys that are
            // missing each is reported.
            if finding.keyword == "minItems", hasNoted(.tooFew, path) { continue }
            let namesMember = rule == .missingKey || rule == .memberAdvised
            if namesMember ? hasNoted(rule, path, words.fix) : hasNoted(rule, path) {
                continue
            }
            note(
                rule, at: finding.range, pointer: path, found: words.found,
                allowed: words.allowed, limit: finding.limit.flatMap { Int(exactly: $0) },
                actual: finding.actual.flatMap { Int(exactly: $0) }, fix: words.fix,
                edits: probe.firstThatFixes(fixer.proposals(for: finding)))
        }
        // The schema stops reporting at some number; an error may be among the findings left out.
        if schemaFindings.count >= JSONSchema.mostFindings, !hasErrors {
            note(
                .schemaMismatch, at: root, found: "\(schemaFindings.count) slips or more",
                allowed: "fewer than \(JSONSchema.mostFindings)",
                limit: JSONSchema.mostFindings - 1,
                actual: schemaFindings.count, fix: "Correct the ones that are listed first.")
        }
    }

    private func rule(for finding: SchemaFinding, _ notes: SchemaNotes) -> Rule? {
        if let rule = notes.rulesByKeyword[finding.keywordLocation] {
            return finding.keyword == "required" && isThereByOldName(finding) ? nil : rule
        }
        if finding.isAboutKey, let name = finding.name {
            return ruleForUnknownKey(name, finding.value)
        }
        if finding.keyword == "required" || finding.keyword == "dependentRequired" {
            return ruleForMissingKey(finding)
        }
        if finding.keyword == "type" {
            let isNumeric = finding.value.string.flatMap { Double($0) } != nil
            let wantsNumber =
                finding.allowed.contains("number") || finding.allowed.contains("integer")
            return isNumeric && wantsNumber ? .numberAsText : .wrongType
        }
        if notes.fixes.currentValue(for: finding) != nil { return .oldSpelling }
        if let place = FixNotes.place(ofKeyword: finding.keywordLocation),
            let rule = notes.rules[place]
        {
            let isPrefixed =
                rule == .businessForm && finding.value.string?.hasPrefix("urn:biz:") == true
            return isPrefixed ? .businessPrefix : rule
        }
        return Self.ruleByKeyword[finding.keyword] ?? .schemaMismatch
    }

    private func ruleForUnknownKey(_ name: String, _ value: JSONValue) -> Rule? {
        let path = value.path
        // Said already by a rule that knows more about it.
        if hasNoted(.appWithData, path) || hasNoted(.dataAndReference, path) { return nil }
        if Feature.isName(name), let end = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            hasNoted(.featureAmbiguous, String(path[..<end]))
        {
            return nil
        }
        return Spelling.isAccepted(name, context.direction) ? .oldSpelling : .unknownKey
    }

    private func ruleForMissingKey(_ finding: SchemaFinding) -> Rule? {
        isThereByOldName(finding) ? nil : .missingKey
    }

    /// Whether the member that is missing is there under a name that the channel still reads.
    private func isThereByOldName(_ finding: SchemaFinding) -> Bool {
        finding.value.members.contains {
            Spelling.isAccepted($0.key, context.direction)
                && Spelling.current(of: $0.key) == finding.name
        }
    }

    private static let ruleByKeyword: [String: Rule] = [
        "enum": .wrongValue, "const": .wrongValue, "pattern": .wrongForm, "format": .wrongForm,
        "maxLength": .tooLong, "minLength": .tooShort, "maxItems": .tooMany,
        "maxProperties": .tooMany, "maxContains": .tooMany, "minItems": .tooFew,
        "minProperties": .tooFew, "contains": .tooFew, "minContains": .tooFew,
        "minimum": .outOfRange, "maximum": .outOfRange, "exclusiveMinimum": .outOfRange,
        "exclusiveMaximum": .outOfRange, "multipleOf": .outOfRange, "uniqueItems": .notUnique,
    ]
}
