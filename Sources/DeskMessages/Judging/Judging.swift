import DeskBytes
import DeskJSON
import DeskModel

/// One judgement while it is being made: the text's root, the context and what was found so far.
struct Judging {
    let root: JSONValue
    let context: JudgementContext
    var findings: [Finding] = []

    init(root: JSONValue, context: JudgementContext) {
        self.root = root
        self.context = context
    }

    /// Notes a finding about a value.
    mutating func note(
        _ rule: Rule, at node: JSONValue, found: String, allowed: String, limit: Int? = nil,
        actual: Int? = nil, fix: String
    ) {
        note(
            rule, at: node.range, pointer: node.path, found: found, allowed: allowed,
            limit: limit, actual: actual, fix: fix)
    }

    /// Notes a finding about a place.
    mutating func note(
        _ rule: Rule, at range: Range<Int>, pointer: String, found: String, allowed: String,
        limit: Int? = nil, actual: Int? = nil, fix: String
    ) {
        let place = root.document.position(at: range.lowerBound)
        findings.append(
            Finding(
                rule: rule, severity: rule.severity(context.profile, context.world),
                pointer: pointer, line: place.line, column: place.column,
                start: range.lowerBound, end: range.upperBound, found: found, allowed: allowed,
                limit: limit, actual: actual, fix: fix))
    }

    /// Whether a rule has spoken about this place already.
    func hasNoted(_ rule: Rule, _ pointer: String) -> Bool {
        findings.contains { $0.rule == rule && $0.pointer.equalsBytes(pointer) }
    }

    /// Notes every identifier that occurs a second time.
    mutating func noteRepeats(of identifiers: some Sequence<JSONValue>, in what: String) {
        var seen: Set<ByteString> = []
        for node in identifiers {
            guard let bytes = node.stringBytes else { continue }
            guard !seen.insert(ByteString(bytes)).inserted else { continue }
            note(
                .identifierTwice, at: node, found: "\(node.quoted) a second time",
                allowed: "identifiers that occur once in \(what)",
                fix: "Give each entry of \(what) an identifier of its own.")
        }
    }
}
