import DeskJSON
import DeskModel

/// Why no message made of a template could ever be sent.
public struct TemplateFault: Hashable, Sendable {
    /// What the rulebook found in the filled template; its pointer leads to the same place in the
    /// template.
    public let finding: Finding
    /// What the place holds whatever the values are, in words.
    public let found: String
    /// What to do about it, as a sentence.
    public let fix: String
}

extension TemplateForm {
    /// What keeps every message made of it from being sent; empty where some values may work.
    ///
    /// It is filled with a value of each parameter's type and checked. Only the errors count that
    /// no value can change: a text or a number where something else belongs, and errors outside
    /// placeholders. Limit: one judgement; a template that is too large for `limitBytes` with these
    /// values has none.
    public func faults(
        judgedBy rulebook: Rulebook, _ context: JudgementContext, limitBytes: Int
    ) -> [TemplateFault] {
        // Safe: what these values make too large, shorter ones may not.
        guard
            let filled = try? fill(values: trial, provided: Self.trialNames, limitBytes: limitBytes)
        else { return [] }
        let places = GapPlaces(self)
        return rulebook.judge(filled, context).errors.compactMap { found in
            let finding = places.placed(found)
            if !Self.isAboutKeys(finding), let gap = places.gap(at: finding.pointer) {
                return Self.fault(finding, gap)
            }
            guard places.isEmpty || places.isSettled(finding) else { return nil }
            return TemplateFault(finding: finding, found: finding.found, fix: finding.fix)
        }
    }

    /// Whether an error is about which keys there are: no value adds or removes one.
    fileprivate static func isAboutKeys(_ finding: Finding) -> Bool {
        switch finding.rule {
        case .missingKey, .unknownKey, .featureMissing, .featureAmbiguous: true
        default: false
        }
    }

    /// An error at a placeholder: a fault when it is of the value's type.
    private static func fault(_ finding: Finding, _ gap: Gap) -> TemplateFault? {
        guard finding.rule == .wrongType || finding.rule == .numberAsText else { return nil }
        let name = "{{\(gap.name)}}"
        let isNumber = gap.form == .number
        var fix =
            "A placeholder makes a text or, as {{\(gap.name)|number}}, a number: write what belongs "
            + "here itself, with placeholders inside its texts."
        if isNumber, finding.allowed.contains("text") || finding.allowed.contains("string") {
            fix = "Take |number out: \(name) makes a text."
        } else if !isNumber, finding.rule == .numberAsText || finding.allowed.contains("number") {
            fix = "Write {{\(gap.name)|number}} as the whole text: it makes a number."
        }
        return TemplateFault(
            finding: finding,
            found: "a \(isNumber ? "number" : "text"), whatever the value of \(gap.name) is",
            fix: fix)
    }

    /// A value of its type for each parameter.
    private var trial: [UInt8] {
        JSON.object(
            parameters.map { parameter in
                (parameter.name, parameter.trialValue)
            }
        ).bytes()
    }

    private static let trialNames = [
        "customer.name": "text", "customer.locale": "en_US", "business.name": "text",
        "agent.name": "text",
    ]
}

extension TemplateParameter {
    /// A value of its type; a list's has one item, so that its elements are where the template has them.
    fileprivate var trialValue: JSON {
        let standard = defaultText.flatMap { JSONValue.parsed($0) }
        guard kind != .list else {
            let item = standard?[0].map { JSON.raw(Array($0.rawBytes)) }
            return .array([item ?? .object(members.map { ($0.name, $0.trialValue) })])
        }
        if let defaultText { return .raw(defaultText) }
        return switch kind {
        case .text, .list: .string("text")
        case .number: .integer(1)
        case .date: .string("2031-01-01T09:00+0000")
        case .choice: .string(choices.first ?? "")
        }
    }
}

/// The places of a template's placeholders, found by where they lie and not by their pointers: those
/// of many places below long keys would be longer than the template by far.
private struct GapPlaces {
    private let gaps: [Gap]
    private let repeated: [JSONValue]
    private let root: JSONValue?

    init(_ form: TemplateForm) {
        gaps = form.gaps
        repeated = form.repeated
        root = (gaps.first?.text ?? repeated.first)?.document.root
    }

    var isEmpty: Bool { root == nil }

    func gap(at pointer: String) -> Gap? { find(pointer).flatMap { gap(in: $0) } }

    /// A finding of the filled payload where the template has its place: an element that is repeated lies
    /// one step deeper there.
    func placed(_ finding: Finding) -> Finding {
        guard !repeated.isEmpty, var value = root,
            let steps = JSONPointer(parsing: finding.pointer)?.tokens
        else { return finding }
        var pointer = JSONPointer()
        for step in steps {
            guard let next = value.find(JSONPointer([step])) else { return finding }
            value = next
            pointer = pointer.appending(step)
            if let (_, element) = TemplatePartReader.repetition(value),
                repeated.contains(where: { $0.range == value.range })
            {
                pointer = pointer.appending(value.members.first { _ in true }?.key ?? "")
                value = element
            }
        }
        return finding.moved(to: pointer.description)
    }

    private func find(_ pointer: String) -> JSONValue? {
        JSONPointer(parsing: pointer).flatMap { root?.find($0) }
    }

    private func gap(in text: JSONValue) -> Gap? {
        text.isString ? gaps.first { $0.text.range == text.range } : nil
    }

    /// Whether no value has a part in an error at a place without a placeholder.
    func isSettled(_ finding: Finding) -> Bool {
        if TemplateForm.isAboutKeys(finding) {
            // Which keys belong there may hang on a type beside them.
            let parent = finding.pointer.lastIndex(of: "/").map { finding.pointer[..<$0] } ?? ""
            return [finding.pointer, String(parent), ""].allSatisfy { pointer in
                find(pointer)?["type"].flatMap { gap(in: $0) } == nil
            }
        }
        switch finding.rule {
        case .wrongType, .numberAsText, .wrongValue, .wrongForm, .tooLong, .tooShort, .tooMany,
            .tooFew, .outOfRange, .textEmpty, .unknownType:
            guard let place = find(finding.pointer)?.range else { return false }
            return !gaps.contains { place.contains($0.text.range.lowerBound) }
                && !repeated.contains { place.contains($0.range.lowerBound) }
        default: return false
        }
    }
}

extension Finding {
    /// The finding with another pointer.
    fileprivate func moved(to pointer: String) -> Finding {
        Finding(
            rule: rule, severity: severity, pointer: pointer, line: line, column: column,
            start: start, end: end, found: found, allowed: allowed, limit: limit, actual: actual,
            fix: fix, edits: edits)
    }
}
