import DeskJSON

extension Judging {
    /// Turns what a schema found into findings of the rulebook.
    mutating func takeOver(_ schemaFindings: [SchemaFinding], _ namedRules: [String: Rule]) {
        // The verdict stands even if nobody can say why: never let pass what is invalid.
        if schemaFindings.isEmpty {
            note(
                .schemaMismatch, at: root, found: "a message that its schema refuses",
                allowed: "what the schema of this kind describes",
                fix: "Compare the message with the schema's examples.")
        }
        for finding in schemaFindings {
            guard let rule = rule(for: finding, namedRules) else { continue }
            let path = finding.value.path
            // A rule of ours that has spoken here already said it better.
            guard !hasNoted(rule, path) else { continue }
            note(
                rule, at: finding.range, pointer: path, found: finding.found,
                allowed: finding.allowed, limit: finding.limit.flatMap { Int(exactly: $0) },
                actual: finding.actual.flatMap { Int(exactly: $0) },
                fix: Self.fix(rule, finding))
        }
    }

    private func rule(for finding: SchemaFinding, _ namedRules: [String: Rule]) -> Rule? {
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
        let place = finding.keywordLocation.utf8
        if let slash = place.lastIndex(of: UInt8(ascii: "/")),
            let rule = namedRules[String(finding.keywordLocation[..<slash])]
        {
            return rule
        }
        return Self.ruleByKeyword[finding.keyword] ?? .schemaMismatch
    }

    private func ruleForUnknownKey(_ name: String, _ value: JSONValue) -> Rule? {
        let path = value.path
        // Said already by a rule that knows more about it.
        if hasNoted(.appWithData, path) || hasNoted(.dataAndReference, path) { return nil }
        let isFeature = Feature.table.contains { $0.key == name || $0.others.contains(name) }
        if isFeature, let end = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            hasNoted(.featureAmbiguous, String(path[..<end]))
        {
            return nil
        }
        return OldSpelling.current(of: name) == nil ? .unknownKey : .oldSpelling
    }

    private func ruleForMissingKey(_ finding: SchemaFinding) -> Rule? {
        guard let name = finding.name else { return .missingKey }
        let isThereByOldName = finding.value.members.contains {
            OldSpelling.current(of: $0.key) == name
        }
        return isThereByOldName ? nil : .missingKey
    }

    private static func fix(_ rule: Rule, _ finding: SchemaFinding) -> String {
        let name = finding.name ?? ""
        if rule == .oldSpelling, let current = OldSpelling.current(of: name) {
            return "Rename it to \"\(current)\"."
        }
        if let suggestion = finding.suggestion { return "Did you mean \"\(suggestion)\"?" }
        switch rule {
        case .missingKey: return name.isEmpty ? "Add what is missing." : "Add \"\(name)\"."
        case .unknownKey: return "Take \"\(name)\" out."
        case .numberAsText: return "Write the number without quotation marks."
        case .wrongType: return "Write \(finding.allowed)."
        case .tooLong, .textTooLong, .appURLTooLong: return "Shorten it."
        case .tooMany: return "Take some out."
        case .tooFew, .tooShort: return "Add what is missing."
        case .quickReplyCount: return "Offer two to five answers."
        case .notUnique: return "Name each once."
        case .pictureIdentifierEmpty: return "Name a picture, or leave imageIdentifier out."
        case .slotNotUTC: return "Write the moment in UTC, such as 2026-12-01T09:30+0000."
        case .paymentWithout3DS: return "Add \"supports3DS\"."
        case .linkScheme: return "Use an http or https address; universal links open their app."
        case .businessForm: return "Write the business's UUID, without urn:biz: before it."
        case .customerForm: return "Write the customer's opaque name as it came in a message."
        case .bidForm:
            return "Write com.apple.messages.MSMessageExtensionBalloonPlugin:<team>:<extension>."
        default: return "Write \(finding.allowed)."
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
