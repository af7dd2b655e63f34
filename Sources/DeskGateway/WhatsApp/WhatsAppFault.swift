import DeskHTTP
import DeskJSON
import DeskModel

/// Why WhatsApp did not do what it was asked, and what follows.
///
/// The codes are those of
/// <https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes>.
struct WhatsAppFault: Error {
    /// Whether asking again may help.
    enum Outlook {
        /// Later it may.
        case later
        /// It never does.
        case never
        /// It is up to this server: nothing can be stored at the moment, or no time is left.
        case here
    }

    /// The status answered; nil when no answer came.
    let status: Int?
    /// What went wrong, in words.
    let detail: String
    let outlook: Outlook
    var retryAfter: Duration?

    /// Codes of what passes: the service is away or busy, or more was sent than is accepted in a time.
    private static let passing: Set = [
        1, 2, 4, 80_007, 130_429, 131_000, 131_016, 131_056, 131_057, 133_004, 133_016,
    ]

    /// Words for codes where the reader has something to do.
    private static let words: [Int: String] = [
        0: "the access token is not accepted: enter a new one under Settings, Gateway, then replay",
        10: "the access token lacks a permission: it needs whatsapp_business_messaging",
        190: "the access token has expired: enter a new one under Settings, Gateway, then replay",
        131_005: "the access token lacks a permission: it needs whatsapp_business_messaging",
        131_021: "a number cannot write to itself",
        131_026:
            "it cannot be delivered: the customer does not use WhatsApp, has an old version, or has not "
            + "accepted its terms",
        131_030: "the number is not among those that a test number may write to",
        131_031: "the account is locked: Meta's Business Manager says why",
        131_042: "the account's payment method has a problem",
        131_047:
            "more than 24 hours have passed since the customer wrote: WhatsApp accepts only templates now",
        131_008: "a value is missing that the message needs",
        131_009: "a value is not what the message needs",
        131_049: "WhatsApp held it back, so that the customer is not written to too often",
        131_050: "the customer does not want marketing messages of this business",
        131_051: "WhatsApp does not have this type of message",
        131_052: "WhatsApp could not load the file",
        131_053: "WhatsApp does not accept this file: its type or size",
        132_000: "the template has another number of variables now: send it anew",
        132_001: "the template is not there any more in this language, or is not approved",
        132_005: "the template's text is too long with these values",
        132_007: "the template's content breaks a policy of WhatsApp's",
        132_012: "a value is not of the form that the template needs",
        132_015: "the template is paused, since customers did not like it: send another one",
        132_016:
            "the template is disabled for good, since customers did not like it: send another one",
        132_018: "a value has a line break, a tab or more than four spaces in a row",
        132_068: "the flow of the template is blocked",
        132_069: "the flow of the template is slowed down",
        1: "WhatsApp is away or busy", 2: "WhatsApp is away or busy",
        131_000: "WhatsApp is away or busy", 131_016: "WhatsApp is away or busy",
        133_004: "WhatsApp is away or busy",
        4: "the app has asked WhatsApp too often in an hour",
        80_007: "the account has sent more than WhatsApp accepts in a time",
        130_429: "more was sent in a second than WhatsApp accepts of the number",
        131_056: "more was sent to this customer in a short time than WhatsApp accepts",
        131_057: "WhatsApp is working on the account, such as on its throughput",
        133_016: "the number was registered too often in a time",
        133_010: "the number is not registered at the Cloud API",
        368: "the account is blocked for a breach of WhatsApp's policies",
    ]

    init(status: Int?, detail: String, _ outlook: Outlook, retryAfter: Duration? = nil) {
        self.status = status
        self.detail = detail
        self.outlook = outlook
        self.retryAfter = retryAfter
    }

    /// Reads an answer that is not the wanted one.
    init(_ answer: OutgoingAnswer, _ body: [UInt8], at now: Timestamp) {
        let status = answer.status.code
        // Safe: an answer without JSON is judged by its status alone.
        let error = (try? JSONDocument(parsing: body).root)?["error"]
        let code = error?["code"]?.int
        let isPassing = code.map { Self.passing.contains($0) } ?? false
        self.init(
            status: status,
            detail: Self.sentence(error, code: code) ?? "answered \(status)",
            isPassing || status == 408 || status == 429 || status >= 500 ? .later : .never,
            retryAfter: RetryAfter.wait(answer.headers, at: now))
    }

    /// What an error says, in words and with its code; nil where there is none.
    static func sentence(_ error: JSONValue?, code: Int?) -> String? {
        guard let error else { return nil }
        let said =
            error["error_data"]?["details"]?.string ?? error["message"]?.string
            ?? error["title"]?.string ?? ""
        let line = String(said.prefix(300).map { $0.isNewline ? " " : $0 })
        guard let code else { return line.isEmpty ? nil : line }
        guard let words = words[code] else {
            return line.isEmpty ? "WhatsApp's code \(code)" : "\(line) (\(code))"
        }
        return line.isEmpty ? "\(words) (\(code))" : "\(words) (\(code): \(line))"
    }
}
