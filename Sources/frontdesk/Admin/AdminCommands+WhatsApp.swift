import DeskAPI
import DeskCommandLine
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore

extension AdminCommands {
    /// Connects a business to its number at WhatsApp; the verify token is shown this once.
    func connectWhatsApp(_ parsed: Parsed) async throws(StoreError) -> Result {
        let all = try await store.businesses()
        guard let word = parsed["business"] else {
            return .failed("--business is needed; there are:\n\(Self.list(all))")
        }
        let business: Business
        switch Self.find(word, in: all) {
        case .failure(let failure): return failure.result
        case .success(let found): business = found
        }
        guard let number = parsed["phone-number-id"], WhatsAppSettings.isID(number) else {
            return .failed("--phone-number-id is needed: digits, as Meta's App Dashboard shows it")
        }
        let account = parsed["account-id"]
        if let account, !WhatsAppSettings.isID(account) {
            return .failed("--account-id is digits")
        }
        guard
            let url = LinkAddress(parsed["graph-url"] ?? WhatsAppSettings.graph, for: business.mode)
        else { return .failed("--graph-url is \(LinkAddress.rule)") }
        let token = WhatsAppSecrets.makeVerifyToken()
        guard let secrets = Self.secrets(parsed["secret"], verifyToken: token) else {
            return .failed(
                "--secret-file is needed: a file with accessToken and appSecret as texts of a JSON object"
            )
        }
        try await links.load()
        if let known = links.find(.whatsapp, of: business.id) {
            return .failed(
                "\(business.name) has one already: \(known.id.text), \(known.mspID)\n"
                    + "change it in the console, or first: "
                    + "frontdesk gateway remove \(known.id.text)")
        }
        var settings = WhatsAppSettings(accountID: account)
        if let marksRead = parsed.claim("read-marks") { settings.marksRead = marksRead }
        var random = SystemRandomNumberGenerator()
        let link = GatewayLink(
            id: GatewayLinkID(using: &random), business: business.id, side: .whatsapp,
            mspID: number, secret: secrets.bytes, url: url.text,
            settings: settings.json.bytes(), createdAt: time.now())
        guard try await links.save(link, author: .command) else {
            return .failed("\(business.name) was given such a link a moment ago")
        }
        return .done(
            """
            Callback URL to enter at Meta:  \(try await findOrigin())/whatsapp/\(link.id.text)
            Verify token:                   \(token)

            \(business.name) is connected to the number \(number). The token is shown this once.
            Its id, for frontdesk gateway remove: \(link.id.text)
            """)
    }

    private static func secrets(_ text: String?, verifyToken: String) -> WhatsAppSecrets? {
        // Safe: what is no JSON has no secrets, which the caller says.
        guard let text, let root = try? JSONDocument(parsing: Array(text.utf8)).root,
            let accessToken = root["accessToken"]?.string,
            let appSecret = root["appSecret"]?.string,
            [accessToken, appSecret].allSatisfy(WhatsAppSecrets.isAllowed)
        else { return nil }
        return WhatsAppSecrets(
            accessToken: accessToken, appSecret: appSecret, verifyToken: verifyToken)
    }
}
