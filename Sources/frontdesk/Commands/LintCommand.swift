import DeskAPI
import DeskJSON
import DeskMessages
import DeskModel
import FoundationEssentials

/// `frontdesk lint`: judges files with the server's own rules.
enum LintCommand {
    private enum Format: String {
        case text, json
    }

    /// Largest file in bytes that is judged; a send takes no more either.
    private static let maximumBytes = 4 * 1_024 * 1_024

    /// 0 when nothing refuses a file, 1 when something does, 2 when it cannot be judged.
    static func run(_ parsed: Parsed, executable: String) -> Int32 {
        do throws(UsageError) {
            let format = try word(parsed["format"] ?? "text", "--format", Format.init)
            let context = JudgementContext(
                direction: try word(
                    parsed["direction"] ?? "outbound", "--direction", Direction.init),
                now: TimeSource.system.now(),
                profile: try word(parsed["profile"] ?? "strict", "--profile", Profile.init))
            guard !parsed.arguments.isEmpty else {
                throw UsageError("name the files to judge", hint: "see: frontdesk lint --help")
            }
            let rulebook = try requireRulebook(parsed["schemas"], executable: executable)
            var isRefused = false
            for file in parsed.arguments {
                let text = try read(file)
                let judgement = rulebook.judge(text, context)
                isRefused = isRefused || judgement.isRefused
                show(judgement, of: text, file: file, format)
            }
            return isRefused ? 1 : 0
        } catch {
            Output.complain(error)
            return 2
        }
    }

    /// The rules, compiled from the schemas of this installation.
    static func requireRulebook(
        _ said: String?, executable: String
    ) throws(UsageError) -> Rulebook {
        let folder = try ShareFolders.findSchemas(said, executable: executable)
        do {
            let files = try FileSet(folder: folder)
            return try Rulebook(
                schemas: files.paths.map { ($0, files[$0]?.bytes ?? []) })
        } catch {
            throw UsageError("the schemas in \(folder) cannot be used: \(error)")
        }
    }

    private static func show(
        _ judgement: Judgement, of text: [UInt8], file: String, _ format: Format
    ) {
        switch format {
        case .text:
            let rendered = LintText.render(judgement, in: text, file: file)
            if !rendered.isEmpty { Output.print(rendered.trimmingSuffix("\n")) }
        case .json:
            var members: [(String, JSON)] = [("file", .string(file))]
            if let fault = judgement.fault {
                members.append(
                    (
                        "fault",
                        [
                            "line": .integer(fault.line), "column": .integer(fault.column),
                            "detail": .string(fault.sentence),
                        ]
                    ))
            }
            members.append(("findings", .array(judgement.findings.map(\.json))))
            Output.print(JSON.object(members).text())
        }
    }

    private static func read(_ file: String) throws(UsageError) -> [UInt8] {
        let bytes: [UInt8]
        if file == "-" {
            bytes = StandardInput.readAll(upTo: maximumBytes + 1)
        } else {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw UsageError("\(file) cannot be read")
            }
            bytes = [UInt8](data)
        }
        guard bytes.count <= maximumBytes else {
            throw UsageError("\(file) has more than \(maximumBytes) bytes")
        }
        return bytes
    }

    private static func word<Word>(
        _ text: String, _ flag: String, _ make: (String) -> Word?
    ) throws(UsageError) -> Word {
        guard let word = make(text) else {
            throw UsageError(
                "\(flag) does not take \"\(text)\"", hint: "see: frontdesk lint --help")
        }
        return word
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
