public import DeskDiagnosis
import DeskJSON

/// One thing a judgement says, in the form that all of lint's output formats share.
///
/// A text that is no JSON gives one remark, under the rule `malformed-json`.
public struct LintRemark: Hashable, Sendable {
    /// The rule of a text that is no JSON; it is asked before all others.
    public static let malformedJSON = "malformed-json"
    /// What that rule says, in a few words.
    public static let malformedTitle = "not JSON"

    /// The rule's id.
    public let rule: String
    /// What follows for the message.
    public let severity: Severity
    /// Where, as a JSON Pointer; empty for the whole text.
    public let pointer: String
    /// The place in the text.
    public let place: TextPlace
    /// What was found and what is allowed, as one sentence.
    public let sentence: String
    /// What to do about it; empty when nothing can be said.
    public let fix: String

    /// A finding in a text.
    init(_ finding: Finding, in lines: inout LineIndex) {
        rule = finding.rule.id
        severity = finding.severity
        pointer = finding.pointer
        place = TextPlace(finding.start..<finding.end, in: &lines)
        sentence = finding.sentence
        fix = finding.fix
    }

    /// The fault of a text that is no JSON.
    init(_ fault: JSONError, in text: [UInt8]) {
        rule = Self.malformedJSON
        severity = .error
        pointer = ""
        place = TextPlace(fault.offset..<fault.offset + 1, in: text)
        sentence = fault.sentence
        fix = ""
    }
}

extension Judgement {
    /// All that is said about a text, in the order of the text.
    public func remarks(in text: [UInt8]) -> [LintRemark] {
        if let fault { return [LintRemark(fault, in: text)] }
        var lines = LineIndex(text)
        return findings.map { LintRemark($0, in: &lines) }
    }
}
