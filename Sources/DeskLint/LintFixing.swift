import DeskDiagnosis
import DeskMessages

/// Applies what findings offer to one text, again and again until nothing is left to apply.
struct LintFixing {
    /// Most rounds; an edit that makes room for the next one needs a round of its own.
    static let maximumRounds = 8

    private(set) var text: [UInt8]
    private(set) var judgement: Judgement
    private var applied: [Finding] = []

    init(text: [UInt8], judgement: Judgement) {
        self.text = text
        self.judgement = judgement
    }

    /// Applies the fixes to the text, round by round.
    ///
    /// An edit that leaves no JSON, or more errors than before, is not applied.
    mutating func run(_ judge: ([UInt8]) -> Judgement) {
        for _ in 0..<Self.maximumRounds {
            let offered = Edits.fitting(judgement.findings, in: text)
            guard !offered.isEmpty else { return }
            let fixed = Edits.apply(offered, to: text)
            let next = judge(fixed)
            guard fixed != text, !next.isMalformed,
                next.errors.count <= judgement.errors.count
            else { return }
            applied += offered
            (text, judgement) = (fixed, next)
        }
    }

    /// What was fixed, a line each, placed in the text as it stood then.
    func lines(file: String) -> [String] {
        applied.map { finding in
            "\(Terminal.safe(file)):\(finding.line):\(finding.column): fixed: "
                + "\(Terminal.safe(finding.fix)) [\(finding.rule.id)]"
        }
    }
}
