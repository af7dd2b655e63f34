import DeskCommandLine
import DeskMessages
import FoundationEssentials

/// The rules' pages, `docs/rules/*.md`, of this installation.
struct RulePages: Sendable {
    /// Largest page in bytes.
    private static let maximumBytes = 256 * 1_024
    /// The rules of payloads: the one of texts that are no JSON, then all others.
    static let rules = [LintRemark.malformedJSON] + Rule.allCases.map(\.id)
    /// The rules of requests, which no payload breaks; they have pages too.
    static let requestRules = [
        "request-missing", "request-unknown", "request-type", "request-value",
    ]

    private let folder: String

    /// Nil when this installation has no documentation.
    init?(executable: String) {
        guard let docs = ShareFolders.findDocs(executable: executable) else { return nil }
        folder = docs + "/rules"
    }

    /// A rule's page.
    func page(of rule: String) throws(UsageError) -> String {
        let bytes = try FileText.read("\(folder)/\(rule).md", upTo: Self.maximumBytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
