import DeskBytes
import DeskDiagnosis
import DeskJSON
import DeskModel

/// One judgement while it is being made: the text's root, the context and what was found so far.
struct Judging {
    let root: JSONValue
    let context: JudgementContext
    private(set) var findings: [Finding] = []
    private var errorCount = 0
    /// How many bytes edits of pictures may still put in.
    var pictureEditBudget = Judging.maximumPictureEditBytes

    /// Most errors, and apart from them most warnings, of one judgement; more are dropped.
    static let maximumFindings = 100

    /// Whether the text is a file that this program alone reads: nothing in it is passed over.
    private let isOwnFile: Bool

    init(root: JSONValue, context: JudgementContext, isOwnFile: Bool = false) {
        self.root = root
        self.context = context
        self.isOwnFile = isOwnFile
    }

    /// How grave a breach of a rule is here.
    private func severity(of rule: Rule) -> Severity? {
        let severity = rule.severity(context.profile, context.mode)
        // A schema's name is for editors, and stays behind.
        return isOwnFile && severity != nil && rule != .schemaNamed ? .error : severity
    }

    /// Notes a finding about a value.
    mutating func note(
        _ rule: Rule, at node: JSONValue, found: String, allowed: String, limit: Int? = nil,
        actual: Int? = nil, fix: String, edits: [Edit] = []
    ) {
        guard mayNote(rule) else { return }
        note(
            rule, at: node.range, pointer: node.path, found: found, allowed: allowed,
            limit: limit, actual: actual, fix: fix, edits: edits)
    }

    /// Notes a finding about a place.
    mutating func note(
        _ rule: Rule, at range: Range<Int>, pointer: String, found: String, allowed: String,
        limit: Int? = nil, actual: Int? = nil, fix: String, edits: [Edit] = []
    ) {
        guard mayNote(rule), let severity = severity(of: rule) else { return }
        if severity == .error { errorCount += 1 }
        // Lines are counted once for all findings, when the last one is in.
        findings.append(
            Finding(
                rule: rule, severity: severity, pointer: pointer, line: 0, column: 0,
                start: range.lowerBound, end: range.upperBound, found: found, allowed: allowed,
                limit: limit, actual: actual, fix: fix, edits: edits))
    }

    /// All findings in the order of the text, each with its line and column.
    mutating func finish() -> [Finding] {
        guard !findings.isEmpty else { return [] }
        findings.sort(by: Finding.precedes)
        var lines = LineIndex(root.document.bytes)
        for index in findings.indices {
            let position = lines.position(of: findings[index].start)
            findings[index].line = position.line
            findings[index].column = position.column
        }
        return findings
    }

    /// Whether any finding so far refuses the message.
    var hasErrors: Bool { errorCount > 0 }

    /// Whether one more finding of a rule would be kept.
    func mayNote(_ rule: Rule) -> Bool {
        guard let severity = severity(of: rule) else { return false }
        return (severity == .error ? errorCount : findings.count - errorCount)
            < Self.maximumFindings
    }

    /// Whether a rule has spoken about this place already.
    func hasNoted(_ rule: Rule, _ pointer: String) -> Bool {
        findings.contains { $0.rule == rule && $0.pointer.equalsBytes(pointer) }
    }

    /// Whether a rule has spoken about this place already, with the same advice.
    func hasNoted(_ rule: Rule, _ pointer: String, _ fix: String) -> Bool {
        findings.contains {
            $0.rule == rule && $0.pointer.equalsBytes(pointer) && $0.fix.equalsBytes(fix)
        }
    }

    /// Notes every identifier that occurs a second time.
    mutating func noteRepeats(of identifiers: [JSONValue], in what: String) {
        var words = FewWords()
        guard !identifiers.allSatisfy({ words.insert($0) }) else { return }
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

    /// The one name that a text spells but for case, white space and separators.
    func meant(by node: JSONValue, among names: some Collection<ByteString>) -> String? {
        guard let text = node.string, !text.isEmpty, names.count <= 1_000 else { return nil }
        let bare = Fixer.bare(text)
        let alike = names.filter { !bare.isEmpty && Fixer.bare($0.text) == bare }
        return alike.count == 1 ? alike.first?.text : nil
    }
}

/// A word of each of a few texts, to see without reading them whole that they differ.
struct FewWords {
    private var words: [UInt32] = []

    init() { words.reserveCapacity(16) }

    /// Adds one more text; false where it may be equal to one before, or where there are many.
    mutating func insert(_ text: JSONValue) -> Bool {
        guard words.count < 32, let word = text.fingerprint, !words.contains(word) else {
            return false
        }
        words.append(word)
        return true
    }
}
