package import DeskJSON

/// Something wrong with a request's own JSON; shaped like the rulebook's findings.
package struct RequestFinding: Sendable {
    /// The rules of requests; each has a page in docs/rules.
    package enum Rule: String, CaseIterable {
        case missing = "request-missing"
        case unknown = "request-unknown"
        case type = "request-type"
        case value = "request-value"
    }

    package let rule: Rule
    package let pointer: String
    package let position: JSONPosition
    package let range: Range<Int>
    package let found: String
    package let allowed: String
    package let limit: Int?
    package let actual: Int?
    package let fix: String

    package init(
        _ rule: Rule, at value: JSONValue, found: String, allowed: String, limit: Int? = nil,
        actual: Int? = nil, fix: String
    ) {
        self.rule = rule
        pointer = value.pointer.description
        position = value.position
        range = value.range
        self.found = found
        self.allowed = allowed
        self.limit = limit
        self.actual = actual
        self.fix = fix
    }

    /// What was found and what is allowed.
    package var sentence: String { "Found \(found); allowed: \(allowed)." }

    /// A value in few words: short scalars unchanged, never a long text.
    package static func shown(_ value: JSONValue) -> String {
        switch value.kind {
        case .null, .boolean, .number: value.rawText
        case .string: value.rawBytes.count <= 80 ? value.rawText : "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONWriter {
    package mutating func requestFinding(_ finding: RequestFinding) {
        object {
            $0.member("rule", finding.rule.rawValue)
            $0.member("severity", "error")
            $0.member("pointer", finding.pointer)
            $0.member("line", finding.position.line)
            $0.member("column", finding.position.column)
            $0.member("start", finding.range.lowerBound)
            $0.member("end", finding.range.upperBound)
            $0.member("found", finding.found)
            $0.member("allowed", finding.allowed)
            if let limit = finding.limit { $0.member("limit", limit) }
            if let actual = finding.actual { $0.member("actual", actual) }
            $0.member("fix", finding.fix)
            $0.member("docs", "/docs/rules/\(finding.rule.rawValue)")
        }
    }
}
