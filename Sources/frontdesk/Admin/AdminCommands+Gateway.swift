import DeskAPI
import DeskBroker
import DeskCommandLine
import DeskCrypto
import DeskLinks
import DeskModel
import DeskStore

extension AdminCommands {
    /// Registers a provider; its secret is shown this once.
    func registerProvider(_ parsed: Parsed) async throws(StoreError) -> Result {
        switch try await makeLink(.provider, "endpoint", parsed) {
        case .failure(let failed): return failed.result
        case .success((let link, let business)):
            return .done(
                """
                MSP id:    \(link.mspID)
                Secret:    \(LinkSecret.encode(link.secret))
                Base URL:  \(try await findOrigin())/v1
                Endpoint:  \(link.url)

                This is the provider of \(business.name). The secret is shown this once.
                What customers do is posted to the endpoint with /message appended.
                Its id, for frontdesk gateway remove: \(link.id.text)
                """)
        }
    }

    /// Connects a business to an upstream gateway.
    func connectUpstream(_ parsed: Parsed) async throws(StoreError) -> Result {
        switch try await makeLink(.upstream, "base-url", parsed) {
        case .failure(let failed): return failed.result
        case .success((let link, let business)):
            return .done(
                """
                Endpoint to enter at the gateway:  \(try await findOrigin())/msp/\(link.id.text)

                \(business.name) is connected to \(link.url). The gateway appends /message.
                Its id, for frontdesk gateway remove: \(link.id.text)
                """)
        }
    }

    /// Lists all links without their secrets.
    func listLinks() async throws(StoreError) -> Result {
        try await links.load()
        guard !links.all.isEmpty else { return .done("There are no providers and no gateways.") }
        let names = Dictionary(
            try await store.businesses().map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        var rows: [String] = []
        for link in links.all {
            let counts = try await store.countDeliveries(of: link.outbox)
            rows.append(
                "\(link.id.text)  \(link.side.rawValue)  \(link.url)  MSP id \(link.mspID)  "
                    + "(\(names[link.business] ?? link.business.text))  "
                    + "\(counts[.pending] ?? 0) waiting, \(counts[.dead] ?? 0) dead, "
                    + "\(counts[.delivered] ?? 0) delivered")
        }
        return .done(rows.joined(separator: "\n"))
    }

    /// Removes a link by its id.
    func removeLink(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let id = GatewayLinkID(parsed.arguments[0]) else {
            return .failed("name one link by its id; frontdesk gateway list shows them")
        }
        return try await links.remove(id, author: .command)
            ? .done("The link \(id.text) is removed.") : .failed("no link has the id \(id.text)")
    }

    private func makeLink(
        _ side: GatewaySide, _ addressFlag: String, _ parsed: Parsed
    ) async throws(StoreError) -> Swift.Result<(GatewayLink, Business), Failed> {
        func failed(_ text: String) -> Swift.Result<(GatewayLink, Business), Failed> {
            .failure(Failed(result: .failed(text)))
        }
        let all = try await store.businesses()
        guard let word = parsed["business"] else {
            return failed("--business is needed; there are:\n\(Self.list(all))")
        }
        let business: Business
        switch Self.find(word, in: all) {
        case .failure(let failure): return .failure(failure)
        case .success(let found): business = found
        }
        guard let address = parsed[addressFlag].flatMap({ LinkAddress($0, for: business.mode) })
        else { return failed("--\(addressFlag) is needed: \(LinkAddress.rule)") }
        let isNeeded = side == .upstream
        let id = parsed["msp-id"]
        guard id.map(LinkMSP.isAllowed) ?? !isNeeded else {
            return failed("--msp-id is \(isNeeded ? "needed: " : "")\(LinkMSP.rule)")
        }
        let secret = parsed["secret"].map { LinkSecret.decode($0) }
        if case .some(.none) = secret { return failed("--secret is \(LinkSecret.rule)") }
        if secret == nil, isNeeded { return failed("--secret is needed: \(LinkSecret.rule)") }
        try await links.load()
        if let known = links.find(side, of: business.id) {
            return failed(
                "\(business.name) has one already: \(known.id.text), \(known.url)\n"
                    + "change it in the console, or first: "
                    + "frontdesk gateway remove \(known.id.text)")
        }
        var random = SystemRandomNumberGenerator()
        let link = GatewayLink(
            id: GatewayLinkID(using: &random), business: business.id, side: side,
            mspID: id ?? UniqueID(using: &random).text,
            secret: secret.flatMap(\.self) ?? RandomBytes.make(GatewayLink.secretBytes),
            url: address.text, createdAt: time.now())
        guard try await links.save(link, author: .command) else {
            return failed("\(business.name) was given such a link a moment ago")
        }
        return .success((link, business))
    }
}
