import DeskDiagnosis
import DeskMessages

extension Fixing {
    /// What was fixed, a line each, placed in the text as it stood then.
    func lines(file: String) -> [String] {
        applied.map { finding in
            "\(Terminal.safe(file)):\(finding.line):\(finding.column): fixed: "
                + "\(Terminal.safe(finding.fix)) [\(finding.rule.id)]"
        }
    }
}
