public import DeskDiagnosis

/// One thing a payload does that a rule speaks of, placed in the text as posted.
public struct Finding: Hashable, Sendable {
    /// The rule that speaks.
    public let rule: Rule
    /// What follows for the message.
    public let severity: Severity
    /// Where, as a JSON Pointer; empty for the whole text.
    public let pointer: String
    /// Where, as a line counted from 1.
    public internal(set) var line: Int
    /// Where, as a column counted from 1 in Unicode scalars.
    public internal(set) var column: Int
    /// First byte of the place in the text.
    public let start: Int
    /// The byte after the last one of the place.
    public let end: Int
    /// What was found, in words or as a short quotation.
    public let found: String
    /// What would be right there.
    public let allowed: String
    /// The limit that was passed, where there is one.
    public let limit: Int?
    /// The number that passed the limit.
    public let actual: Int?
    /// What to do about it, as a sentence.
    public let fix: String
    /// The fix as edits of the text, all to be applied; empty where the author has to decide.
    public let edits: [Edit]

    /// Puts a finding together.
    public init(
        rule: Rule, severity: Severity, pointer: String, line: Int, column: Int, start: Int,
        end: Int, found: String, allowed: String, limit: Int? = nil, actual: Int? = nil,
        fix: String, edits: [Edit] = []
    ) {
        self.rule = rule
        self.severity = severity
        self.pointer = pointer
        self.line = line
        self.column = column
        self.start = start
        self.end = end
        self.found = found
        self.allowed = allowed
        self.limit = limit
        self.actual = actual
        self.fix = fix
        self.edits = edits
    }

    /// Where the rule's page is served.
    public var docs: String { rule.docs }

    /// What was found and what is allowed, as one sentence.
    public var sentence: String { "Found \(found); allowed: \(allowed)." }

    /// The order of findings: by place, then gravity, then rule.
    static func precedes(_ left: Finding, _ right: Finding) -> Bool {
        (left.start, left.severity, left.rule.rawValue, left.end)
            < (right.start, right.severity, right.rule.rawValue, right.end)
    }
}
