import DeskCommandLine
import DeskJSON
import DeskLint
import DeskMessages
import DeskModel
import DeskTranslate
import FoundationEssentials

/// `frontdesk translate`: writes a message as another vendor's channel does, and says what that loses.
enum TranslateCommand {
    private enum Format: String, CaseIterable {
        case text, json
    }

    /// Largest file in bytes; a larger one is refused.
    private static let maximumBytes = 4 * 1_024 * 1_024

    /// 0 for translations, 1 when a file is not a message of its shape, 2 when one cannot be read.
    static func run(_ parsed: Parsed, executable: String) -> Int32 {
        do throws(UsageError) {
            guard !parsed.arguments.isEmpty else {
                throw UsageError(
                    "name the file to translate", hint: "see: frontdesk translate --help")
            }
            let from = try shape("from", parsed)
            let to = try shape("to", parsed)
            guard from != to else {
                throw UsageError(
                    "--from and --to are the same shape", hint: "to check it: frontdesk lint")
            }
            guard let format = Format(rawValue: parsed["format"] ?? "text") else {
                throw UsageError(
                    "--format does not accept \"\(parsed["format"] ?? "")\"",
                    hint: "it accepts text, json")
            }
            let schemas = try SchemaFolder(parsed["schemas"], executable: executable)
            let translator = Translator(
                rulebook: try schemas.makeRulebook(),
                requestIdentifier: UUID().uuidString.lowercased(), now: TimeSource.system.now())
            var code: Int32 = 0
            for file in parsed.arguments {
                let text = try FileText.read(file, upTo: maximumBytes)
                code = max(code, translate(text, file, from, to, format, translator))
            }
            return code
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func translate(
        _ text: [UInt8], _ file: String, _ from: Shape, _ to: Shape, _ format: Format,
        _ translator: Translator
    ) -> Int32 {
        do throws(TranslationError) {
            let translation = try translator.translate(text, from: from, to: to)
            switch format {
            case .json:
                let line: JSON = .object([("file", .string(file))] + translation.members)
                Output.print(line.text())
            case .text:
                let message = String(decoding: translation.result.prettyBytes(), as: UTF8.self)
                Output.print(message)
                note(translation, file)
            }
            return 0
        } catch {
            Output.write(Array(words(for: error, text, file).utf8), to: .error)
            return 1
        }
    }

    /// What is lost, and what the rules say of the result, beside the result.
    private static func note(_ translation: Translation, _ file: String) {
        var lines = translation.lossLines(file: file)
        lines += translation.findings.map { finding in
            "result\(finding.pointer): \(finding.severity.rawValue): \(finding.sentence) "
                + "[\(finding.rule.id)]"
        }
        for line in lines { Output.write(Array("\(line)\n".utf8), to: .error) }
    }

    private static func words(
        for error: TranslationError, _ text: [UInt8], _ file: String
    ) -> String {
        switch error {
        case .refused(let judgement): LintText.render(judgement, in: text, file: file)
        case .fault(let fault):
            "\(file):\(fault.line):\(fault.column): error: found \(fault.found); "
                + "allowed: \(fault.allowed)\n  fix: \(fault.fix)\n"
        case .sameShape: "\(file): error: it is of that shape already\n"
        }
    }

    private static func shape(_ flag: String, _ parsed: Parsed) throws(UsageError) -> Shape {
        let words = Shape.allCases.map(\.rawValue)
        guard let word = parsed[flag] else {
            throw UsageError(
                "--\(flag) is missing", hint: "it accepts \(words.joined(separator: ", "))")
        }
        if let shape = Shape(rawValue: word) { return shape }
        throw UsageError(
            "--\(flag) does not accept \"\(word)\"",
            hint: Nearest.find(word, among: words).map { "did you mean \($0)?" }
                ?? "it accepts \(words.joined(separator: ", "))")
    }
}
