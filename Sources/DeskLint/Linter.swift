package import DeskCommandLine
import DeskJSON
package import DeskMessages
package import DeskModel

/// Judges one file after another; shares nothing, so that many may run at once.
package struct Linter: Sendable {
    /// What became of one file.
    package struct Outcome: Sendable {
        /// What the format gives for it.
        package var piece: [UInt8] = []
        package var errors = 0
        package var warnings = 0
        /// Whether this file lets the lint fail.
        package var fails = false
        /// Why it was not judged.
        package var failure: UsageError?
        /// What was fixed, a line each.
        package var fixed: [String] = []
        /// The fixed text, where it goes to standard output.
        package var text: [UInt8] = []

        /// Nothing was found yet.
        package init() {}
    }

    /// Largest file in bytes that is checked; a send accepts no more either.
    package static let maximumBytes = 4 * 1_024 * 1_024

    package let rulebook: Rulebook
    package let writer: LintWriter
    package let now: Timestamp
    package let fixes: Bool

    /// A linter; `fixes` says whether what findings offer is applied first.
    package init(rulebook: Rulebook, writer: LintWriter, now: Timestamp, fixes: Bool) {
        self.rulebook = rulebook
        self.writer = writer
        self.now = now
        self.fixes = fixes
    }

    /// Reads and judges a file; fixes it first where that is wanted.
    package func lint(_ file: LintFile) -> Outcome {
        do throws(UsageError) {
            return try outcome(of: file)
        } catch {
            var outcome = Outcome()
            outcome.failure = error
            return outcome
        }
    }

    private func outcome(of file: LintFile) throws(UsageError) -> Outcome {
        var outcome = Outcome()
        var text = try FileText.read(file.path, upTo: Self.maximumBytes)
        var judgement = judge(text, file)
        if fixes {
            var fixing = Fixing(text: text, judgement: judgement)
            fixing.run { judge($0, file) }
            if file.path == "-" {
                outcome.text = fixing.text
            } else if fixing.text != text {
                try FileText.replace(file.path, with: fixing.text)
            }
            outcome.fixed = fixing.lines(file: file.path)
            (text, judgement) = (fixing.text, fixing.judgement)
        }
        outcome.piece = writer.piece(judgement, of: text, file: file.path)
        outcome.errors = judgement.isMalformed ? 1 : judgement.errors.count
        outcome.warnings = judgement.warnings.count { $0.severity == .warning }
        outcome.fails =
            outcome.errors > 0 || (file.settings.warnings == .error && outcome.warnings > 0)
        return outcome
    }

    private func judge(_ text: [UInt8], _ file: LintFile) -> Judgement {
        let settings = file.settings
        let way = settings.way ?? .outbound
        // Safe: what is no JSON is judged below as text, which says why.
        let root =
            settings.kind == .auto || way == .auto ? try? JSONDocument(parsing: text).root : nil
        if let document = document(file, root),
            let judgement = rulebook.judge(
                text, asDocument: document, settings.context(.outbound, now: now))
        {
            return judgement
        }
        let direction: Direction =
            switch way {
            case .outbound: .outbound
            case .inbound: .inbound
            case .auto:
                root.flatMap {
                    DirectionGuess.direction(of: $0) ?? Self.direction(named: file.path)
                }
                    ?? .outbound
            }
        let context = settings.context(direction, now: now)
        return root.map { rulebook.judge($0.document, context) } ?? rulebook.judge(text, context)
    }

    /// The document that a file is; nil for a message.
    private func document(_ file: LintFile, _ root: JSONValue?) -> String? {
        switch file.settings.kind ?? .message {
        case .message: nil
        case .document(let name): name
        case .auto:
            root.flatMap { rulebook.document(namedBy: $0) }
                ?? rulebook.document(inFolderOf: file.path)
        }
    }

    /// The direction that the nearest folder above a file has for its name.
    private static func direction(named path: String) -> Direction? {
        path.split(separator: "/").dropLast().reversed().lazy
            .compactMap { Direction(rawValue: String($0)) }.first
    }
}
