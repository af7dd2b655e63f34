import DeskCommandLine

/// How an administrative command travels over the socket: fields with zero bytes between them.
///
/// The command's words, then a name and a value for each flag; an argument has an empty name.
enum AdminWire {
    /// Largest request and largest answer in bytes.
    static let maximumBytes = 1_024 * 1_024

    /// The request's bytes; text from a command line never holds a zero byte.
    static func encode(_ command: String, _ parsed: Parsed) -> [UInt8] {
        var fields = [command]
        for (name, values) in parsed.values.sorted(by: { $0.key < $1.key }) {
            for value in values { fields += [name, value] }
        }
        for argument in parsed.arguments { fields += ["", argument] }
        return Array(fields.joined(separator: "\0").utf8)
    }

    /// What a request asks; nil for bytes that are none.
    static func decode(_ bytes: [UInt8]) -> (command: String, parsed: Parsed)? {
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let command = fields.first, !command.isEmpty, fields.count % 2 == 1 else {
            return nil
        }
        var parsed = Parsed()
        for place in stride(from: 1, to: fields.count, by: 2) {
            if fields[place].isEmpty {
                parsed.arguments.append(fields[place + 1])
            } else {
                parsed.values[fields[place], default: []].append(fields[place + 1])
            }
        }
        return (command, parsed)
    }

    /// The answer's bytes: the exit code, then the text.
    static func encode(_ result: AdminCommands.Result) -> [UInt8] {
        [result.code] + Array(result.text.utf8)
    }

    /// Ends the lines before an answer; no line of JSON has this byte.
    static let linesEnd: UInt8 = 0

    /// An answer's bytes behind lines.
    static func encode(afterLines result: AdminCommands.Result) -> [UInt8] {
        [linesEnd] + encode(result)
    }

    /// What a server answered; nil for nothing.
    static func decodeResult(_ bytes: [UInt8]) -> AdminCommands.Result? {
        bytes.first.map { code in
            AdminCommands.Result(
                code: code, text: String(decoding: bytes.dropFirst(), as: UTF8.self))
        }
    }
}
