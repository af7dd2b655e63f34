import DeskBytes
import DeskCrypto
public import DeskJSON
import DeskModel

/// The secrets of a business's number at WhatsApp, kept together as the secret of its link.
public struct WhatsAppSecrets: Hashable, Sendable {
    /// Longest secret in bytes.
    public static let maximumBytes = 1_024
    /// Bytes of chance in a verify token that is made here.
    private static let verifyTokenBytes = 24

    /// What the Graph API is asked with.
    public var accessToken: String
    /// What Meta signs with.
    public var appSecret: String
    /// What Meta shows when it verifies the callback URL.
    public var verifyToken: String

    /// Puts the three together.
    public init(accessToken: String, appSecret: String, verifyToken: String) {
        self.accessToken = accessToken
        self.appSecret = appSecret
        self.verifyToken = verifyToken
    }

    /// Reads a link's secret; nil for one that was given up, or came without its secret from an archive.
    public init?(_ secret: [UInt8]) {
        // Safe: what is no JSON is no secret of ours, which the caller says.
        guard let root = try? JSONDocument(parsing: secret).root,
            let accessToken = root["accessToken"]?.string,
            let appSecret = root["appSecret"]?.string, !appSecret.isEmpty,
            let verifyToken = root["verifyToken"]?.string, !verifyToken.isEmpty
        else { return nil }
        self.init(accessToken: accessToken, appSecret: appSecret, verifyToken: verifyToken)
    }

    /// A new verify token: digits and letters, which no form of Meta's changes.
    public static func makeVerifyToken() -> String {
        Hex.encode(RandomBytes.make(verifyTokenBytes))
    }

    /// The secret of the link.
    public var bytes: [UInt8] {
        let json: JSON = [
            "accessToken": .string(accessToken), "appSecret": .string(appSecret),
            "verifyToken": .string(verifyToken),
        ]
        return json.bytes()
    }

    /// Whether a text may be one of them: visible ASCII without spaces.
    public static func isAllowed(_ text: String) -> Bool {
        (1...maximumBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// What a link to WhatsApp says beside its number, address and secrets.
public struct WhatsAppSettings: Hashable, Sendable {
    /// Where the Graph API is, unless a link says otherwise.
    public static let graph = "https://graph.facebook.com/v23.0"
    /// How long after a customer's message a business may answer freely.
    public static let replyWindow = Duration.seconds(86_400)
    /// Longest id of a number or an account, in digits.
    public static let longestID = 64

    /// The WhatsApp Business Account, whose templates are sent; where it is known, what Meta brings for another one
    /// is not accepted.
    public var accountID: String?
    /// Whether customers see that their messages were read, and that someone types.
    public var marksRead = true

    /// Whether a text may be the id of a number or an account: digits, as Meta's App Dashboard shows them.
    public static func isID(_ text: String) -> Bool {
        (1...longestID).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) }
    }

    /// Settings of an account.
    public init(accountID: String? = nil) { self.accountID = accountID }

    /// Reads a settings text.
    public init(_ text: [UInt8]) {
        // Safe: settings were checked when they were saved; of a damaged text the defaults hold.
        let root = try? JSONDocument(parsing: text).root
        accountID = root?["accountId"]?.string
        marksRead = root?["marksRead"]?.bool ?? true
    }

    /// The settings' text.
    public var json: JSON {
        [
            "accountId": accountID.map { .string($0) } ?? .null, "marksRead": .bool(marksRead),
        ]
    }
}
