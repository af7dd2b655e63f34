import DeskDiagnosis
import DeskMessages

/// Applies what findings offer to one text, again and again until nothing is left to apply.
struct LintMending {
    /// Most rounds; an edit that makes room for the next one needs a round of its own.
    static let maximumRounds = 8

    private(set) var text: [UInt8]
    private(set) var judgement: Judgement
    private var applied: [Finding] = []

    init(text: [UInt8], judgement: Judgement) {
        self.text = text
        self.judgement = judgement
    }

    /// Mends the text.
    ///
    /// An edit that leaves no JSON, or more errors than there were, is not taken.
    mutating func run(_ judge: ([UInt8]) -> Judgement) {
        for _ in 0..<Self.maximumRounds {
            let offered = Edits.fitting(judgement.findings, in: text)
            guard !offered.isEmpty else { return }
            let mended = Edits.apply(offered, to: text)
            let next = judge(mended)
            guard mended != text, !next.isMalformed,
                next.errors.count <= judgement.errors.count
            else { return }
            applied += offered
            (text, judgement) = (mended, next)
        }
    }

    /// What was mended, a line each, placed in the text as it stood then.
    func lines(file: String) -> [String] {
        applied.map { finding in
            "\(Terminal.safe(file)):\(finding.line):\(finding.column): fixed: "
                + "\(Terminal.safe(finding.fix)) [\(finding.rule.id)]"
        }
    }
}
