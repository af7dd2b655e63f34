import DeskBytes
import DeskHTTP
public import DeskModel

/// One e-mail of plain text.
public struct Mail: Sendable {
    /// Whom it is from.
    public var from: Mailbox
    /// Whom it is for.
    public var to: Mailbox
    /// The subject, any text.
    public var subject: String
    /// The text, with `\n` between its lines.
    public var text: String
    /// The language of the text, such as `en`.
    public var language: String

    /// Puts an e-mail together.
    public init(from: Mailbox, to: Mailbox, subject: String, text: String, language: String) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.language = language
    }

    /// The bytes that a mail server gets (RFC 5322, RFC 2045), all of them ASCII.
    ///
    /// `Auto-Submitted` (RFC 3834) keeps automatic answers from coming back.
    ///
    /// - Parameter id: what no other e-mail is named by.
    public func bytes(id: UniqueID, at time: Timestamp) -> [UInt8] {
        let seconds = Int(time.milliseconds / 1_000)
        let (encoding, body) = encodedText
        let lines = [
            "From: \(from.header)", "To: \(to.header)", "Subject: \(HeaderText.line(subject))",
            "Date: \(HTTPDate.text(secondsSince1970: seconds).dropLast(3))+0000",
            "Message-ID: <\(id.text)@\(from.domain)>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Language: \(language)",
            "Content-Transfer-Encoding: \(encoding)", "Auto-Submitted: auto-generated", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8) + body
    }

    /// As it is where every server lets it through, in base64 otherwise.
    private var encodedText: (encoding: String, bytes: [UInt8]) {
        let lines = HeaderText.withoutTurns(text).utf8
            .split(separator: 0x0A, omittingEmptySubsequences: false)
        let isPlain = lines.allSatisfy { line in
            line.count <= 500 && line.allSatisfy { (0x20...0x7E).contains($0) }
        }
        var plain: [UInt8] = []
        for line in lines { plain += Array(line) + [0x0D, 0x0A] }
        guard !isPlain else { return ("7bit", plain) }
        var encoded = Base64.encodeBytes(plain)[...]
        var bytes: [UInt8] = []
        while !encoded.isEmpty {
            bytes += encoded.prefix(76) + [0x0D, 0x0A]
            encoded = encoded.dropFirst(76)
        }
        return ("base64", bytes)
    }
}
