import DeskCommandLine
import DeskMail
import DeskWeb

/// The mail server, and whom e-mails are from, as the command line names them.
struct MailConfiguration: Sendable, Equatable {
    private static let example =
        "for example --mail-server smtps://mail.example.com --mail-from desk@example.com"
    private static let flags = ["mail-user", "mail-password-file", "mail-from", "mail-ca-file"]

    let server: MailServer
    let from: Mailbox

    /// Reads the flags; nil without `--mail-server`, which leaves e-mails off.
    static func read(_ parsed: Parsed) throws(UsageError) -> MailConfiguration? {
        guard let typed = parsed["mail-server"] else {
            for flag in flags where parsed[flag] != nil {
                throw UsageError("--\(flag) needs --mail-server", hint: example)
            }
            return nil
        }
        let (url, needsEncryption) = try address(typed)
        guard let text = parsed["mail-from"] else {
            throw UsageError(
                "--mail-from is needed beside --mail-server: the address that e-mails are from",
                hint: example)
        }
        guard let from = Mailbox(text) else {
            throw UsageError(
                "--mail-from takes an e-mail address of ASCII, alone or behind a name, not \"\(text)\"",
                hint: "for example --mail-from \"Tea shop <desk@example.com>\"")
        }
        let user = parsed["mail-user"]
        let password = try password(parsed["mail-password-file"])
        guard (user == nil) == (password == nil) else {
            throw UsageError(
                "--mail-user and --mail-password-file belong together; only one is given")
        }
        if let file = parsed["mail-ca-file"] {
            // What libcurl would say only when the first e-mail is sent.
            let text = String(decoding: try FileText.read(file, upTo: 4 << 20), as: UTF8.self)
            guard text.contains("-----BEGIN CERTIFICATE-----") else {
                throw UsageError(
                    "--mail-ca-file: no certificate is in \(file)",
                    hint: "it takes one or more in PEM: -----BEGIN CERTIFICATE----- and so on")
            }
        }
        return MailConfiguration(
            server: MailServer(
                url: url, needsEncryption: needsEncryption, user: user, password: password,
                authorityFile: parsed["mail-ca-file"]), from: from)
    }

    /// The address with its port, and whether nothing may be said there before the connection is encrypted.
    private static func address(_ typed: String) throws(UsageError) -> (String, Bool) {
        let schemes = [("smtps://", "https://", 465), ("smtp://", "http://", 587)]
        for (scheme, known, port) in schemes where typed.hasPrefix(scheme) {
            let rest = typed.dropFirst(scheme.utf8.count)
            guard let found = PublicURL(known + rest) else { break }
            let authority = found.origin.dropFirst(known.utf8.count)
            let hasPort = authority.utf8.count > found.host.utf8.count
            return (
                "\(scheme)\(authority)\(hasPort ? "" : ":\(port)")",
                scheme == "smtps://" || !found.isLoopback
            )
        }
        throw UsageError(
            "--mail-server is an address that begins with smtps:// or smtp://, not \"\(typed)\"",
            hint: "for example --mail-server smtps://mail.example.com, or smtp://127.0.0.1:25 for "
                + "the mail server of this machine")
    }

    private static func password(_ path: String?) throws(UsageError) -> String? {
        guard let path else { return nil }
        let bytes = try FileText.read(path, upTo: 4_096)
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !line.isEmpty else {
            throw UsageError("the file of --mail-password-file has no password in its first line")
        }
        return String(decoding: line, as: UTF8.self)
    }
}
