import CCurl
import DeskHTTP
public import DeskMail
import Dispatch
import Glibc

/// Hands e-mails to a mail server by libcurl (SMTP, RFC 5321), each over a connection of its own.
///
/// The library is loaded for the first one. Where the server's address is not this machine's, the connection is encrypted
/// before anything is said: from its beginning (`smtps`), or by STARTTLS.
public struct CurlMailer: MailTransport {
    private static let longestSeconds = 20

    private let server: MailServer
    private let name: String

    /// A mailer.
    ///
    /// - Parameter name: the host name by which the server is greeted.
    public init(_ server: MailServer, greetingAs name: String) {
        self.server = server
        self.name = name
    }

    /// Hands one over, and returns when the server has accepted it.
    public func send(_ bytes: [UInt8], from: Mailbox, to: Mailbox) async throws(MailFault) {
        let result: Result<Void, MailFault> = await withCheckedContinuation { waiter in
            // A serial queue has a thread of its own, so that the wait holds up no other task.
            DispatchQueue(label: "frontdesk.mail").async {
                waiter.resume(
                    returning: Result { () throws(MailFault) in
                        try wait(bytes, from: from.address, to: to.address)
                    })
            }
        }
        try result.get()
    }

    private func wait(_ bytes: [UInt8], from: String, to: String) throws(MailFault) {
        do {
            try CurlThread.load(FRONTDESK_CURL_LIBRARY)
        } catch {
            throw MailFault(isPassing: false, error.detail)
        }
        // A server that disconnects must not end the process.
        signal(SIGPIPE, SIG_IGN)
        var fault = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        var answer = 0
        let code = unsafe frontdesk_mail_send(
            "\(server.url)/\(name)", server.user, server.password, server.authorityFile,
            server.needsEncryption ? 1 : 0, from, to, bytes, bytes.count, Self.longestSeconds,
            &fault, &answer)
        guard code != CURLE_OK else { return }
        throw Self.fault(of: code, answer: answer, text: fault)
    }

    private static func fault(of code: CURLcode, answer: Int, text: [CChar]) -> MailFault {
        let said = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var words = unsafe said.isEmpty ? String(cString: frontdesk_curl_words(code)) : said
        // libcurl has no words of its own for a refusal of the e-mail's text.
        if code == CURLE_WEIRD_SERVER_REPLY, answer >= 400 {
            words = "the e-mail was refused: \(answer)"
        }
        if code == CURLE_RECV_ERROR { words = "the mail server ended the connection" }
        let isPassing: Bool
        switch code {
        // Of a certificate, of a sign-in: the operator has to fix it.
        case CURLE_LOGIN_DENIED, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            isPassing = false
        default: isPassing = answer < 500
        }
        return MailFault(isPassing: isPassing, words)
    }
}
