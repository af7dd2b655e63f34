import DeskModel

/// What the words after `frontdesk` ask for.
package enum Invocation: Sendable {
    /// Text to print; the process then ends with code 0.
    case help(String)
    /// A command with its parsed arguments.
    case run(CommandDescription, Parsed)

    /// Understands a whole command line, the program's own name left out.
    package init(
        _ words: [String], environment: [String: String],
        commands: [CommandDescription]
    ) throws(UsageError) {
        let named = words.prefix { !$0.hasPrefix("-") }
        guard let first = named.first, first != "help" else {
            self = try Self.overview(words, commands: commands)
            return
        }
        let fitting = commands.filter { command in
            command.words.count <= words.count && zip(command.words, words).allSatisfy(==)
        }
        guard let command = fitting.max(by: { $0.words.count < $1.words.count }) else {
            self = try Self.group(first, words, commands: commands)
            return
        }
        let next = words.dropFirst(command.words.count).first
        let leads = commands.contains { $0.words.count > 1 && $0.words.first == command.name }
        if leads, next?.hasPrefix("-") != true {
            self = try Self.group(first, words, commands: commands)
            return
        }
        let parsed = try ArgumentParser(command: command)
            .parse(Array(words.dropFirst(command.words.count)), environment: environment)
        self =
            parsed.wantsHelp
            ? .help(HelpPage.page(of: command)) : .run(command, parsed)
    }

    private static func overview(
        _ words: [String], commands: [CommandDescription]
    ) throws(UsageError) -> Invocation {
        let text = HelpPage.overview(of: commands)
        guard let first = words.first, first != "--help", first != "-h" else { return .help(text) }
        guard first == "help" else {
            if first == "--version", let version = commands.first(where: { $0.name == "version" }) {
                return .run(version, Parsed())
            }
            throw UsageError("a command comes first, then its flags", hint: "see: frontdesk --help")
        }
        let rest = Array(words.dropFirst())
        guard !rest.isEmpty else { return .help(text) }
        guard let command = commands.first(where: { $0.words == rest }) else {
            throw unknown(rest.joined(separator: " "), commands: commands)
        }
        return .help(HelpPage.page(of: command))
    }

    /// `frontdesk key`, `frontdesk key --help`: the commands that begin so.
    private static func group(
        _ first: String, _ words: [String], commands: [CommandDescription]
    ) throws(UsageError) -> Invocation {
        let members = commands.filter { $0.words.first == first }
        let asked = words.dropFirst().first
        guard !members.isEmpty, asked == nil || asked == "--help" || asked == "-h" else {
            let name = members.isEmpty ? first : words.prefix(2).joined(separator: " ")
            throw unknown(name, commands: commands)
        }
        return .help(HelpPage.overview(of: members))
    }

    private static func unknown(_ name: String, commands: [CommandDescription]) -> UsageError {
        let near = Nearest.find(name, among: commands.map(\.name))
        return UsageError(
            "unknown command \"\(name)\"",
            hint: near.map { "did you mean \"frontdesk \($0)\"?" } ?? "see: frontdesk --help")
    }
}
