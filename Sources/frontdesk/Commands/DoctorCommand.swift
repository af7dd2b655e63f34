import DeskCommandLine
import DeskDiagnosis
import DeskJSON
import DeskMessages

/// `frontdesk doctor`: says what happened to a text's bytes, and repairs it.
enum DoctorCommand {
    private enum Format: String {
        case text, json
    }

    /// 0 when nothing is wrong or all of it was repaired, 1 when something is, 2 for no text.
    static func run(_ parsed: Parsed) -> Int32 {
        do throws(UsageError) {
            guard parsed.arguments.count == 1, let file = parsed.arguments.first else {
                throw UsageError("name one file", hint: "see: frontdesk doctor --help")
            }
            guard let format = Format(rawValue: parsed["format"] ?? "text") else {
                throw UsageError(
                    "--format does not accept \"\(parsed["format"] ?? "")\"",
                    hint: "it accepts text, json")
            }
            let writes = parsed.claim("write") ?? false
            let text = try FileText.read(file, upTo: Doctor.maximumBytes)
            let diagnosis = Doctor.examine(text)
            let report: String
            switch format {
            case .text: report = DoctorText.render(diagnosis, of: text, file: file)
            case .json: report = diagnosis.json(file: file).text() + "\n"
            }
            // The repaired text goes to standard output; the report goes beside it.
            Output.write(Array(report.utf8), to: writes && file == "-" ? .error : .standard)
            if writes {
                if file == "-" {
                    Output.write(diagnosis.repaired ?? text, to: .standard)
                } else if let repaired = diagnosis.repaired {
                    try FileText.replace(file, with: repaired)
                }
            }
            return diagnosis.isHealthy || (writes && diagnosis.isRepairedWhole) ? 0 : 1
        } catch {
            Output.complain(error)
            return 2
        }
    }
}
