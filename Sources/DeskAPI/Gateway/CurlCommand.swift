import DeskBytes
import DeskModel

/// A request of the wire log as a command that a person can paste into a shell.
///
/// Every part is quoted, so that untrusted text stays text; the token is left as `$TOKEN`.
struct CurlCommand {
    /// The command.
    let text: String

    /// Writes the request of an exchange; `origin` is put before a path.
    init(_ exchange: WireExchange, origin: String) {
        let request = exchange.request
        let isPath = exchange.target.utf8.first == UInt8(ascii: "/")
        let url = isPath ? origin + exchange.target : exchange.target
        var parts = ["curl", "--globoff", "-X", Self.quoted(exchange.method), Self.quoted(url)]
        var isPacked = false
        var hasType = false
        for field in request.headers {
            switch field.name.lowercased() {
            case "host", "content-length", "transfer-encoding", "connection", "accept-encoding",
                "expect":
                continue
            case "content-encoding" where field.value.lowercased() == "gzip": isPacked = true
            case "content-type": hasType = true
            case "authorization":
                parts += ["-H", "\"Authorization: Bearer $TOKEN\""]
                continue
            default: break
            }
            // curl's own spelling of a field without a value.
            let line =
                field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            parts += ["-H", Self.quoted(line)]
        }
        guard request.byteCount > 0 else {
            text = parts.joined(separator: " ")
            return
        }
        // curl would call it a form otherwise.
        if !hasType { parts += ["-H", "'Content-Type:'"] }
        guard let body = Self.argument(request.body) else {
            text = (parts + ["--data-binary", "@body"]).joined(separator: " ")
            return
        }
        if isPacked {
            let command = (parts + ["--data-binary", "@-"]).joined(separator: " ")
            text = "printf %s \(body) | gzip | \(command)"
        } else {
            text = (parts + ["--data-raw", body]).joined(separator: " ")
        }
    }

    /// A body as one argument; nil for what no argument can hold, or is not whole in the log.
    private static func argument(_ body: [UInt8]) -> String? {
        guard body.count < WireExchange.maximumBodyBytes, !body.contains(0),
            let text = String(validating: body, as: UTF8.self)
        else { return nil }
        return quoted(text)
    }

    /// A text as one word of a shell.
    ///
    /// In single quotes nothing but the quote itself means anything. Control characters, which a
    /// terminal may obey while they are pasted, are spelled out (POSIX 2024 2.2.4).
    static func quoted(_ text: String) -> String {
        let isPlain = !text.unicodeScalars.contains(where: isControl)
        var word = String.UnicodeScalarView()
        word.append(contentsOf: isPlain ? "'".unicodeScalars : "$'".unicodeScalars)
        // By scalars: a quote with a combining mark is one character, and still ends the word.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": word.append(contentsOf: (isPlain ? #"'\''"# : #"\'"#).unicodeScalars)
            case "\\" where !isPlain: word.append(contentsOf: #"\\"#.unicodeScalars)
            case _ where isControl(scalar):
                for byte in String(scalar).utf8 {
                    word.append(contentsOf: "\\\(octal(byte))".unicodeScalars)
                }
            default: word.append(scalar)
            }
        }
        word.append("'")
        return String(word)
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Line ends and tabs are what people expect in a body; the rest of C0 and C1 is not.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F: true
        default: false
        }
    }
}
