import DeskAPI
import DeskCommandLine
import DeskLint
import DeskMessages
import DeskModel
import Dispatch
import Synchronization

/// `frontdesk lint`: judges files with the server's own rules.
enum LintCommand {
    /// Files that are judged before anything is printed; bounds what is held in memory.
    private static let batch = 512

    /// 0 when nothing refuses a file, 1 when something does, 2 when one cannot be judged.
    static func run(_ parsed: Parsed, executable: String) -> Int32 {
        do throws(UsageError) {
            let flags = try LintSettings(parsed)
            let format = try format(parsed["format"] ?? "text")
            guard !parsed.arguments.isEmpty else {
                throw UsageError(
                    "name the files or folders to judge", hint: "see: frontdesk lint --help")
            }
            let schemas = try SchemaFolder(parsed["schemas"], executable: executable)
            var files = try LintFiles(flags, schemas)
            for word in parsed.arguments { try files.add(word) }
            let rulebook = try schemas.makeRulebook()
            try flags.judgeKind(rulebook)
            let linter = Linter(
                rulebook: rulebook,
                writer: LintWriter(
                    format, files.files.map(\.settings), version: Version.number),
                now: TimeSource.system.now(), fixes: parsed.claim("fix") ?? false)
            return run(linter, files.files)
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func run(_ linter: Linter, _ files: [LintFile]) -> Int32 {
        var tally = Tally()
        // The fixed text goes to standard output; the remaining findings go beside it.
        let isPiped = linter.fixes && files.contains { $0.path == "-" }
        let output: Output.Stream = isPiped ? .error : .standard
        var held = linter.writer.head
        var hasPieces = false
        for start in stride(from: 0, to: files.count, by: batch) {
            let outcomes = lint(files[start..<min(start + batch, files.count)], linter)
            for outcome in outcomes {
                if hasPieces, !outcome.piece.isEmpty { held += linter.writer.separator }
                hasPieces = hasPieces || !outcome.piece.isEmpty
                held += outcome.piece
                tally.take(outcome)
            }
            Output.write(held, to: output)
            held = []
            for outcome in outcomes {
                Output.write(outcome.text, to: .standard)
                for line in outcome.fixed { Output.write(Array("\(line)\n".utf8), to: .error) }
                if let failure = outcome.failure { Output.complain(failure) }
            }
        }
        Output.write(linter.writer.tail, to: output)
        if linter.writer.format == .text, let line = tally.line {
            Output.write(Array("\(line)\n".utf8), to: .error)
        }
        return tally.code
    }

    /// Judges some files on all cores, the outcomes in the order of the files.
    private static func lint(
        _ files: ArraySlice<LintFile>, _ linter: Linter
    ) -> [Linter.Outcome] {
        let outcomes = Mutex([Linter.Outcome](repeating: .init(), count: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { place in
            let outcome = linter.lint(files[files.startIndex + place])
            outcomes.withLock { $0[place] = outcome }
        }
        return outcomes.withLock { $0 }
    }

    private static func format(_ word: String) throws(UsageError) -> LintFormat {
        if let format = LintFormat(rawValue: word) { return format }
        let words = LintFormat.allCases.map(\.rawValue)
        throw UsageError(
            "--format does not accept \"\(word)\"",
            hint: Nearest.find(word, among: words).map { "did you mean \($0)?" }
                ?? "it accepts \(words.joined(separator: ", "))")
    }

    /// The exit code of a run.
    private struct Tally {
        private var files = 0
        private var errors = 0
        private var warnings = 0
        private var fixed = 0
        private var unread = 0
        private var fails = false

        mutating func take(_ outcome: Linter.Outcome) {
            files += 1
            errors += outcome.errors
            warnings += outcome.warnings
            fixed += outcome.fixed.count
            unread += outcome.failure == nil ? 0 : 1
            fails = fails || outcome.fails
        }

        var code: Int32 { unread > 0 ? 2 : fails ? 1 : 0 }

        /// The last line for people; nil when all is well with a single file.
        var line: String? {
            guard files > 1 || errors + warnings + fixed > 0 else { return nil }
            var parts = [counted(errors, "error"), counted(warnings, "warning")]
            if fixed > 0 { parts.append("\(fixed) fixed") }
            if unread > 0 { parts.append("\(unread) not judged") }
            return parts.joined(separator: ", ") + " in " + counted(files, "file")
        }

        private func counted(_ count: Int, _ word: String) -> String {
            count == 1 ? "1 \(word)" : "\(count) \(word)s"
        }
    }
}
