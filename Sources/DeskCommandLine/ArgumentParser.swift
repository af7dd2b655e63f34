import DeskModel

/// Parses a command's arguments: `--flag value`, `--flag=value`, `--` ends the flags.
package struct ArgumentParser {
    package let command: CommandDescription

    /// A parser of one command's arguments.
    package init(command: CommandDescription) { self.command = command }

    /// Reads the arguments, then fills what is missing from the environment.
    package func parse(_ arguments: [String], environment: [String: String]) throws(UsageError)
        -> Parsed
    {
        var parsed = Parsed()
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                parsed.arguments += rest
                break
            }
            if word == "--help" || word == "-h" {
                parsed.wantsHelp = true
                continue
            }
            guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
                parsed.arguments.append(word)
                continue
            }
            try take(word, from: &rest, into: &parsed)
        }
        // Help is given whatever the environment holds.
        guard !parsed.wantsHelp else { return parsed }
        try fill(&parsed, from: environment)
        guard command.arguments.isEmpty, let stray = parsed.arguments.first else { return parsed }
        throw UsageError(
            "\"frontdesk \(command.name)\" has no argument \"\(stray)\"", hint: seeHelp)
    }

    private var seeHelp: String { "see: frontdesk \(command.name) --help" }

    private func take(
        _ word: String, from rest: inout ArraySlice<String>, into parsed: inout Parsed
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = String(parts[0].drop { $0 == "-" })
        guard parts[0].hasPrefix("--"), let flag = command.flag(named: typed) else {
            throw unknown(String(parts[0]), typed: typed)
        }
        let attached = parts.count == 2 ? String(parts[1]) : nil
        switch flag.takes {
        case .onOrOff:
            parsed.values[flag.name] = [try onOrOff(attached ?? "on", said: "--\(flag.name)")]
        case .value(let placeholder):
            guard parsed.values[flag.name] == nil else {
                throw UsageError("--\(flag.name) is given twice")
            }
            parsed.values[flag.name] = [
                try value(attached, of: flag, placeholder, from: &rest)
            ]
        case .values(let placeholder):
            parsed.values[flag.name, default: []].append(
                try value(attached, of: flag, placeholder, from: &rest))
        }
    }

    private func value(
        _ attached: String?, of flag: Flag, _ placeholder: String,
        from rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if let attached { return attached }
        // A following flag is a forgotten value, not a value; `--flag=--x` says otherwise.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw UsageError("--\(flag.name) needs a value: --\(flag.name) \(placeholder)")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ word: String, typed: String) -> UsageError {
        let known = command.flags.map(\.name) + ["help"]
        guard let near = Nearest.find(typed, among: known) else {
            return UsageError(
                "unknown flag \(word) for \"frontdesk \(command.name)\"", hint: seeHelp)
        }
        return UsageError(
            "unknown flag \(word) for \"frontdesk \(command.name)\"",
            hint: "did you mean --\(near)?")
    }

    private func onOrOff(_ text: String, said: String) throws(UsageError) -> String {
        switch text.lowercased() {
        case "on", "1", "true", "yes": return "on"
        case "off", "0", "false", "no": return "off"
        default: throw UsageError("\(said) is on or off, not \"\(text)\"")
        }
    }

    private func fill(
        _ parsed: inout Parsed, from environment: [String: String]
    ) throws(UsageError) {
        for flag in command.flags where flag.isConfiguration && parsed.values[flag.name] == nil {
            // An empty variable is an unset one, as in most shells' scripts.
            guard let text = environment[flag.variable], !text.isEmpty else { continue }
            parsed.inherited.insert(flag.name)
            switch flag.takes {
            case .onOrOff: parsed.values[flag.name] = [try onOrOff(text, said: flag.variable)]
            case .value: parsed.values[flag.name] = [text]
            case .values:
                parsed.values[flag.name] = text.split(separator: ",").map { part in
                    String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
                }
            }
        }
    }
}
