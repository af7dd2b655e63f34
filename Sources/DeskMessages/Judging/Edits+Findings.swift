public import DeskDiagnosis

/// Applies what findings offer.
extension Edits {
    /// The text with the edits of all findings that do not touch an earlier one's, each finding's
    /// whole or not at all.
    ///
    /// Judging the result again shows what is left, and what became possible.
    /// - Parameter findings: of a judgement of this very text, in its order.
    public static func apply(_ findings: [Finding], to text: [UInt8]) -> [UInt8] {
        apply(fitting(findings, in: text).flatMap(\.edits), to: text)
    }

    /// The findings whose edits are applied together: those that do not touch an earlier one's.
    public static func fitting(_ findings: [Finding], in text: [UInt8]) -> [Finding] {
        var taken: [Edit] = []
        return findings.filter { finding in
            let fits = finding.edits.allSatisfy { edit in
                edit.end <= text.count && !taken.contains { $0.collides(with: edit) }
            }
            guard fits, !finding.edits.isEmpty else { return false }
            taken.append(contentsOf: finding.edits)
            return true
        }
    }
}
