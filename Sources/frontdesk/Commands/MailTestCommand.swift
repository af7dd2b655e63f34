import DeskCommandLine
import DeskMail
import DeskModel
import DeskNet

/// `frontdesk mail test`.
enum MailTestCommand {
    /// Sends the e-mail; the exit code is 0 once the mail server has accepted it.
    static func run(_ parsed: Parsed) async -> Int32 {
        do throws(UsageError) {
            guard let configuration = try MailConfiguration.read(parsed) else {
                throw UsageError(
                    "there is no mail server",
                    hint: "name one with --mail-server or FRONTDESK_MAIL_SERVER")
            }
            let typed = parsed.arguments.first ?? ""
            guard let to = Mailbox(address: typed) else {
                throw UsageError("\"\(typed)\" is no e-mail address of ASCII")
            }
            return await send(to: to, configuration)
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func send(to: Mailbox, _ configuration: MailConfiguration) async -> Int32 {
        let mail = Mail(
            from: configuration.from, to: to, subject: "Test of Frontdesk",
            text: "This e-mail was sent by frontdesk mail test. The mail server works.",
            language: "en")
        var random = SystemRandomNumberGenerator()
        let bytes = mail.bytes(id: UniqueID(using: &random), at: TimeSource.system.now())
        do throws(MailFault) {
            try await CurlMailer(configuration.server, greetingAs: configuration.from.domain)
                .send(bytes, from: mail.from, to: mail.to)
            Output.print("\(configuration.server.url) has accepted the e-mail to \(to.address).")
            return 0
        } catch {
            Output.complain("\(configuration.server.url) has not accepted it: \(error.detail)")
            return 1
        }
    }
}
