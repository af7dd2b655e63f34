import DeskDiagnosis

/// Applies what findings offer to one text, again and again until nothing is left to apply.
public struct Fixing: Sendable {
    /// Most rounds; an edit that makes room for the next one needs a round of its own.
    public static let maximumRounds = 8

    /// The text as it is now.
    public private(set) var text: [UInt8]
    /// What is said of it.
    public private(set) var judgement: Judgement
    /// The findings that were fixed, placed in the text as it stood then.
    public private(set) var applied: [Finding] = []

    /// Begins with a text and its judgement.
    public init(text: [UInt8], judgement: Judgement) {
        self.text = text
        self.judgement = judgement
    }

    /// Applies the fixes to the text, round by round.
    ///
    /// An edit that leaves no JSON, or more errors than before, is not applied.
    /// Limit: ``maximumRounds`` judgements.
    public mutating func run(_ judge: ([UInt8]) -> Judgement) {
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
}
