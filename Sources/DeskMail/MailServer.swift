/// The mail server that e-mails are handed to.
public struct MailServer: Sendable, Equatable {
    /// Its address: `smtp://host:port` or `smtps://host:port`.
    public var url: String
    /// Whether nothing is sent before the connection is encrypted.
    public var needsEncryption: Bool
    /// Who signs in there; nil where no sign-in is needed.
    public var user: String?
    /// The password for it.
    public var password: String?
    /// A PEM file of the authorities that are trusted instead of the system's.
    public var authorityFile: String?

    /// Describes a server.
    public init(
        url: String, needsEncryption: Bool, user: String? = nil, password: String? = nil,
        authorityFile: String? = nil
    ) {
        self.url = url
        self.needsEncryption = needsEncryption
        self.user = user
        self.password = password
        self.authorityFile = authorityFile
    }
}

/// Why an e-mail was not accepted by the mail server.
public struct MailFault: Error, Sendable, Equatable {
    /// Whether it may be accepted later.
    public let isPassing: Bool
    /// What happened, for the log: no address and no password.
    public let detail: String

    /// A fault.
    public init(isPassing: Bool, _ detail: String) {
        self.isPassing = isPassing
        self.detail = detail
    }
}

/// Hands e-mails to a mail server.
public protocol MailTransport: Sendable {
    /// Hands one over, and returns when the server has accepted it.
    ///
    /// Limit: 20 s. Cancel: ignored.
    ///
    /// - Parameter bytes: the e-mail as `Mail.bytes` has it.
    /// - Throws: why it was not accepted.
    func send(_ bytes: [UInt8], from: Mailbox, to: Mailbox) async throws(MailFault)
}
