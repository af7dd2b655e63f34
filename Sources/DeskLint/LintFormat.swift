import DeskJSON
package import DeskMessages
import DeskModel

/// The output formats of a lint.
package enum LintFormat: String, CaseIterable {
    /// As a compiler does, for people.
    case text
    /// A line of JSON for each file.
    case json
    /// Workflow commands that annotate a pull request.
    case github
    /// SARIF 2.1.0, for code scanning.
    case sarif
}

/// Puts the judgements of many files into one output, in the order of the files.
package struct LintWriter: Sendable {
    package let format: LintFormat
    private let log: SARIFLog

    /// A writer for files that are judged by these settings.
    package init(_ format: LintFormat, _ settings: [LintSettings], version: String) {
        self.format = format
        // A rule of a log has one severity; where the files differ, the graver one.
        let profiles = settings.map { $0.profile ?? .strict }
        let modes = settings.map { $0.mode ?? .live }
        log = SARIFLog(
            version: version, profile: profiles.contains(.strict) ? .strict : .lenient,
            mode: modes.contains(.live) ? .live : .test)
    }

    /// The text before all files.
    package var head: [UInt8] { format == .sarif ? log.head : [] }

    /// The text after all files.
    package var tail: [UInt8] { format == .sarif ? log.tail : [] }

    /// The text between the pieces of two files that have one.
    package var separator: [UInt8] { format == .sarif ? [UInt8(ascii: ",")] : [] }

    /// What one file gives; empty where there is nothing to say.
    package func piece(_ judgement: Judgement, of text: [UInt8], file: String) -> [UInt8] {
        switch format {
        case .text: return Array(LintText.render(judgement, in: text, file: file).utf8)
        case .github: return Array(GitHubText.render(judgement, in: text, file: file).utf8)
        case .sarif: return log.results(of: judgement, in: text, file: file)
        case .json:
            var line = LintReport.json(judgement, in: text, file: file).bytes()
            line.append(0x0A)
            return line
        }
    }
}
