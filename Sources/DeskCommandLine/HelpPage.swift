/// The text behind `--help`.
package enum HelpPage {
    /// The list of all commands.
    package static func overview(of commands: [CommandDescription]) -> String {
        let width = commands.map { usage(of: $0).count }.max() ?? 0
        let rows = commands.map { command in
            "  " + padded(usage(of: command), to: width) + "  " + command.summary
        }
        return """
            Frontdesk: a self-hosted business chat message broker.

            Usage: frontdesk COMMAND [FLAGS]

            Commands:
            \(rows.joined(separator: "\n"))

            frontdesk COMMAND --help explains one command.
            Exit codes: 0 done, 1 it could not be done, 2 the command line was wrong.
            """
    }

    /// One command's own page.
    package static func page(of command: CommandDescription) -> String {
        var parts = [command.about]
        if let sentence = command.access.sentence { parts.append(sentence) }
        var usage = "Usage: frontdesk \(command.name)"
        if !command.flags.isEmpty { usage += " [FLAGS]" }
        if !command.arguments.isEmpty { usage += " \(command.arguments)" }
        parts.append(usage)
        if !command.flags.isEmpty { parts.append(flags(of: command)) }
        if !command.examples.isEmpty {
            parts.append("Examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func flags(of command: CommandDescription) -> String {
        let help = Flag("help", .onOrOff, "this page")
        let all = command.flags + [help]
        let width = min(all.map { $0.usage.count }.max() ?? 0, 28)
        let indent = String(repeating: " ", count: width + 4)
        let rows = all.map { flag in
            let lines = wrapped(flag.summary, to: 94 - indent.count)
            let first = "  " + padded(flag.usage, to: width) + "  "
            return first + lines.joined(separator: "\n" + indent)
        }
        return ["Flags:\n" + rows.joined(separator: "\n"), environment(of: command)]
            .compactMap { $0 }.joined(separator: "\n\n")
    }

    /// Which flags a variable may replace; nil when there is none.
    private static func environment(of command: CommandDescription) -> String? {
        let flags = command.flags.filter(\.isConfiguration)
        guard let example = flags.first else { return nil }
        let others = command.flags.filter { !$0.isConfiguration }
        let exampleWords = "--\(example.name) is \(example.variable)."
        if others.isEmpty {
            return """
                Each flag may also come from the environment: \(exampleWords)
                The command line wins.
                """
        }
        let names =
            others.count == 1
            ? "Each flag but --\(others[0].name)"
            : flags.map { "--\($0.name)" }.joined(separator: ", ")
        let sentence = "\(names) may also come from the environment: \(exampleWords)"
        return (wrapped(sentence, to: 94) + ["The command line wins."]).joined(separator: "\n")
    }

    private static func usage(of command: CommandDescription) -> String {
        command.arguments.isEmpty ? command.name : "\(command.name) \(command.arguments)"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
