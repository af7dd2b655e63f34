import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskWeb

extension RouteTable {
    /// Adds the link of a business to its number at WhatsApp.
    mutating func addWhatsApp(_ path: String, limits: APILimits) {
        add(
            .put, path + "/whatsapp", operation: "putWhatsApp", permission: .manageGateway,
            business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await GatewayRoutes(context).putWhatsApp() }
        add(
            .delete, path + "/whatsapp", operation: "removeWhatsApp", permission: .manageGateway,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await GatewayRoutes(context).remove(.whatsapp) }
        add(
            .get, path + "/whatsapp/templates", operation: "listWhatsAppTemplates",
            permission: .sendMessages, business: .path, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await WhatsAppTemplateRoutes(context).list() }
        add(
            .post, "/api/conversations/{conversation}/whatsapp-template-messages",
            operation: "sendWhatsAppTemplate", permission: .sendMessages, business: .conversation,
            query: .known(["ifLastSequence"]), bodyLimit: limits.recordBytes, rate: .write,
            repeating: .own
        ) { context async throws(Problem) in try await WhatsAppTemplateRoutes(context).send() }
    }
}

extension GatewayRoutes {
    /// Connects a number, or changes what is known of it; what is left out stays as it is, and null
    /// clears the account and the address of the Graph API.
    ///
    /// The verify token is in the answer where the request made or stated it, and never again.
    func putWhatsApp() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let bytes = try await context.jsonBytes()
        let made = WhatsAppSecrets.makeVerifyToken()
        var shown: String?
        let (link, isNew) = try await save(
            .whatsapp, of: business.id, as: .putWhatsApp, bytes
        ) { known throws(Problem) in
            var fields = try Fields(bytes)
            let found = try fields.whatsAppLink(
                changing: known, of: business, orMaking: made, at: services.time.now()
            ) { GatewayLinkID(services.broker.makeID()) }
            shown = found.shown
            return found.link
        }
        let counts = try await services.deliveryCounts(of: [link])
        let publicURL = services.publicURL
        let unknown = services.links.unknownNumbers(of: link)
        return .json(
            JSONWriter.object { text in
                text.member("whatsapp") { $0.link(link, counts, publicURL, unknown: unknown) }
                if let shown { text.member("verifyToken", shown) }
            }, status: isNew ? .created : .ok)
    }
}

extension Fields {
    /// Reads a whole body over what is known of the link.
    ///
    /// - Parameter token: the verify token of a link that has none.
    /// - Returns: the link, and the verify token where it is shown.
    fileprivate mutating func whatsAppLink(
        changing known: GatewayLink?, of business: Business, orMaking token: String,
        at now: Timestamp, _ makeID: () -> GatewayLinkID
    ) throws(Problem) -> (link: GatewayLink, shown: String?) {
        let stored = known.flatMap { WhatsAppSecrets($0.secret) }
        var settings = known.map { WhatsAppSettings($0.settings) } ?? WhatsAppSettings()
        let number = whatsAppID("phoneNumberId", isNeeded: known == nil)
        let isAccountStated = value("accountId") != nil
        let account = whatsAppID("accountId", isNeeded: false)
        if isAccountStated { settings.accountID = account }
        if let marksRead = truth("marksRead") { settings.marksRead = marksRead }
        let graph = value("graphUrl")
        let url: String? =
            if let graph, !graph.isNull {
                linkAddress("graphUrl", for: business.mode)
            } else {
                graph == nil ? known?.url ?? WhatsAppSettings.graph : WhatsAppSettings.graph
            }
        let accessToken = whatsAppSecret("accessToken", isNeeded: stored == nil)
        let appSecret = whatsAppSecret("appSecret", isNeeded: stored == nil)
        let verifyToken = whatsAppSecret("verifyToken", isNeeded: false)
        if let known, let url, stored != nil, accessToken == nil {
            requireToken(of: known.url, at: url)
        }
        try finish()
        let shown = verifyToken ?? (stored == nil ? token : nil)
        guard let number = number ?? known?.mspID, let url,
            let accessToken = accessToken ?? stored?.accessToken,
            let appSecret = appSecret ?? stored?.appSecret,
            let verifyToken = shown ?? stored?.verifyToken
        else {
            throw Problem(
                .invalid, "A new connection needs phoneNumberId, accessToken and appSecret.")
        }
        let secret = WhatsAppSecrets(
            accessToken: accessToken, appSecret: appSecret, verifyToken: verifyToken
        ).bytes
        var link =
            known
            ?? GatewayLink(
                id: makeID(), business: business.id, side: .whatsapp, mspID: number,
                secret: secret, url: url, createdAt: now)
        link.mspID = number
        link.secret = secret
        link.url = url
        link.settings = settings.json.bytes()
        return (link, shown)
    }

    /// Notes that a stored access token is not sent to another place than it was entered for; Meta's own may
    /// have each.
    private mutating func requireToken(of former: String, at url: String) {
        guard url != former, !LinkAddress.haveSameOrigin(url, former),
            !LinkAddress.haveSameOrigin(url, WhatsAppSettings.graph)
        else { return }
        note(
            "graphUrl",
            "an address with the scheme, host and port of the former one, since the stored access token is "
                + "not sent to another place",
            "Send accessToken too.")
    }

    /// An id of Meta's, which is digits; nil when it is absent or wrong, which is a finding where it is needed.
    private mutating func whatsAppID(_ name: String, isNeeded: Bool) -> String? {
        if !isNeeded, value(name).map(\.isNull) ?? true { return nil }
        let longest = WhatsAppSettings.longestID
        guard let text = requireText(name, bytes: 1...longest) else { return nil }
        if WhatsAppSettings.isID(text) { return text }
        note(name, "1 to \(longest) digits", "Copy the id as Meta's App Dashboard shows it.")
        return nil
    }

    /// A secret; nil when it is absent or wrong, which is a finding that does not show it.
    private mutating func whatsAppSecret(_ name: String, isNeeded: Bool) -> String? {
        guard let value = value(name), !value.isNull else {
            if isNeeded { _ = requireValue(name) }
            return nil
        }
        if let text = value.string, WhatsAppSecrets.isAllowed(text) { return text }
        noteSecret(
            name, found: "a value that is no such secret",
            allowed: "1 to \(WhatsAppSecrets.maximumBytes) visible ASCII characters without spaces",
            fix: "Copy \(name) as Meta's App Dashboard shows it.")
        return nil
    }
}
