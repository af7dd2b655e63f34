/// The manual page of this program, in the man macros of roff, made from the table of commands.
package struct ManualPage: Sendable {
    /// A name and what is said of it.
    package typealias Row = (name: String, meaning: String)

    /// Commands that have a flag in common from which on it is described once for all of them.
    private static let commonFrom = 3

    private let version: String
    private let commands: [CommandDescription]
    private let variables: [Row]
    private let files: [Row]
    private let exits: [Row]
    private let others: [String]

    /// A page for these commands, with what the table of commands does not know.
    ///
    /// `variables` are those that no flag replaces, `others` what to read beside it.
    package init(
        of commands: [CommandDescription], version: String, variables: [Row], files: [Row],
        exits: [Row], others: [String]
    ) {
        self.commands = commands
        self.version = version
        self.variables = variables
        self.files = files
        self.exits = exits
        self.others = others
    }

    /// The whole page, without a line end behind it; nothing but ASCII.
    package var text: String {
        var lines = [
            ".TH FRONTDESK 1 \"\" \"Frontdesk \(version)\" \"User Commands\"",
            // Names of flags are not hyphenated, and lines with long ones not stretched.
            ".nh", ".ad l",
            ".SH NAME", "frontdesk \\- a self\\-hosted business chat message broker",
            ".SH SYNOPSIS", "\\fBfrontdesk\\fR \\fICOMMAND\\fR [\\fIFLAGS\\fR]", ".br",
            "\\fBfrontdesk\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR",
        ]
        lines += commandSection
        lines += flagSection
        lines += environmentSection
        lines.append(".SH FILES")
        for row in files { lines += Self.row(row) }
        lines.append(".SH EXIT STATUS")
        for row in exits { lines += Self.row(row) }
        lines.append(".SH SEE ALSO")
        for line in others { lines += Self.lines(line) }
        return lines.joined(separator: "\n")
    }

    private var commandSection: [String] {
        var lines = [".SH COMMANDS"]
        for command in commands {
            lines += [".TP", Self.bold(command.name) + Self.italic(command.arguments)]
            var paragraphs = Self.paragraphs(command.about)
            if let sentence = command.access.sentence { paragraphs.append(sentence) }
            for (place, paragraph) in paragraphs.enumerated() {
                if place > 0 { lines.append(".IP") }
                lines += Self.lines(paragraph)
            }
        }
        return lines
    }

    private var flagSection: [String] {
        let common = commonFlags
        var lines = [".SH FLAGS"]
        lines += Self.row(
            ("--help", "prints what a command does, and its flags; nothing else is done then"))
        lines.append(".SS Flags of several commands")
        for flag in common { lines += Self.item(flag) }
        for command in commands where !command.flags.isEmpty {
            lines.append(".SS frontdesk \(Self.escaped(command.name))")
            for flag in command.flags where !Self.has(common, flag) { lines += Self.item(flag) }
            let shared = command.flags.filter { Self.has(common, $0) }
            guard !shared.isEmpty else { continue }
            let names = shared.map { Self.bold("--\($0.name)") }.joined(separator: ", ")
            lines += [".PP", "As above: \(names)"]
        }
        return lines
    }

    private var environmentSection: [String] {
        var known: [Flag] = []
        for flag in commands.flatMap(\.flags) where flag.isConfiguration {
            if !known.contains(where: { $0.name == flag.name }) { known.append(flag) }
        }
        var lines = [".SH ENVIRONMENT"]
        lines += Self.lines(
            "The command line wins over a variable. An empty variable is an unset one; one that begins "
                + "with FRONTDESK_ and is none of these is named, and without effect.")
        for flag in known { lines += Self.row((flag.variable, "in place of --\(flag.name)")) }
        for row in variables { lines += Self.row(row) }
        return lines
    }

    /// The flags that several commands have with the same words, each once.
    private var commonFlags: [Flag] {
        var common: [Flag] = []
        for flag in commands.flatMap(\.flags) where !Self.has(common, flag) {
            let users = commands.filter { Self.has($0.flags, flag) }
            if users.count >= Self.commonFrom { common.append(flag) }
        }
        return common
    }

    private static func has(_ flags: [Flag], _ flag: Flag) -> Bool {
        flags.contains { $0.usage == flag.usage && $0.summary == flag.summary }
    }

    private static func item(_ flag: Flag) -> [String] {
        let placeholder =
            switch flag.takes {
            case .onOrOff: ""
            case .value(let word), .values(let word): word
            }
        return [".TP", bold("--\(flag.name)") + italic(placeholder)] + lines(flag.summary)
    }

    private static func row(_ row: Row) -> [String] {
        [".TP", bold(row.name)] + lines(row.meaning)
    }

    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// A placeholder behind a name; nothing for none.
    private static func italic(_ text: String) -> String {
        text.isEmpty ? "" : " \\fI\(escaped(text))\\fR"
    }

    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").map(String.init)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { escaped(String($0)) }
    }

    /// Text as roff prints it: a dash stays a dash, and no line is a request.
    private static func escaped(_ text: String) -> String {
        var result = text.hasPrefix(".") ? "\\&" : ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default:
                if scalar.isASCII {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                    result += "\\[u\(zeros)\(digits)]"
                }
            }
        }
        return result
    }
}
