import DeskBroker
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the links to a provider and to an upstream gateway, their deliveries and the wire log.
    public mutating func addGateway(limits: APILimits) {
        let path = "/api/businesses/{business}/gateway"
        add(.get, path, operation: "getGateway", permission: .readGateway, business: .path) {
            context async throws(Problem) in try await GatewayRoutes(context).get()
        }
        add(
            .put, path + "/registration", operation: "putRegistration", permission: .manageGateway,
            business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await GatewayRoutes(context).putRegistration() }
        add(
            .delete, path + "/registration", operation: "removeRegistration",
            permission: .manageGateway, business: .path,
            rate: .write
        ) { context async throws(Problem) in try await GatewayRoutes(context).remove(.provider) }
        add(
            .post, path + "/registration/secret", operation: "renewRegistrationSecret",
            permission: .manageGateway, business: .path, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await GatewayRoutes(context).renewSecret() }
        add(
            .put, path + "/upstream", operation: "putUpstream", permission: .manageGateway,
            business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await GatewayRoutes(context).putUpstream() }
        add(
            .delete, path + "/upstream", operation: "removeUpstream", permission: .manageGateway,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await GatewayRoutes(context).remove(.upstream) }
        addDeliveries(path, limits: limits)
        addMessageDeliveries()
        add(
            .get, path + "/exchanges", operation: "listExchanges", permission: .readGateway,
            business: .path,
            query: .known(
                ["filter[conversation]", "filter[message]"] + PageParameters.names,
                older: [
                    "conversation": "filter[conversation]", "message": "filter[message]",
                    "before": "page[after]",
                ])
        ) {
            context async throws(Problem) in try await ExchangeRoutes(context).list()
        }
    }
}

/// Answers the routes of `addGateway` that read and change links.
struct GatewayRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let registration = services.links.find(.provider, of: business.id)
        let upstream = services.links.find(.upstream, of: business.id)
        let counts = try await services.deliveryCounts(of: [registration, upstream])
        let url = services.publicURL
        return .json(
            JSONWriter.object { text in
                text.member("registration") { $0.link(registration, counts, url) }
                text.member("upstream") { $0.link(upstream, counts, url) }
            })
    }

    func putRegistration() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        var fields = try Fields(try await context.jsonBytes())
        let url = fields.linkAddress("endpoint", for: business.mode)
        let mspID = fields.mspID()
        let secret = fields.linkSecret()
        let settings = try fields.linkSettings(reading: context.services.faultSettings)
        try fields.finish()
        guard let url else { throw .notFound }
        let known = services.links.find(.provider, of: business.id)
        var link =
            known
            ?? GatewayLink(
                id: GatewayLinkID(services.broker.makeID()), business: business.id,
                side: .provider, mspID: services.broker.makeID().text,
                secret: RandomBytes.make(GatewayLink.secretBytes), url: url,
                createdAt: services.time.now())
        link.url = url
        if let mspID { link.mspID = mspID }
        if let secret { link.secret = secret }
        if let settings { link.settings = settings.json.bytes() }
        try await save(link, isNew: known == nil)
        return try await answer(link, showsSecret: known == nil, isNew: known == nil)
    }

    func putUpstream() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let known = services.links.find(.upstream, of: business.id)
        var fields = try Fields(try await context.jsonBytes())
        let url = fields.linkAddress("baseUrl", for: business.mode)
        if known == nil {
            _ = fields.requireValue("mspId")
            _ = fields.requireValue("secret")
        }
        let mspID = fields.mspID()
        let secret = fields.linkSecret()
        let settings = try fields.linkSettings(reading: context.services.faultSettings)
        try fields.finish()
        guard let url, let mspID = mspID ?? known?.mspID, let secret = secret ?? known?.secret
        else { throw Problem(.invalid, "A new connection needs baseUrl, mspId and secret.") }
        var link =
            known
            ?? GatewayLink(
                id: GatewayLinkID(services.broker.makeID()), business: business.id,
                side: .upstream, mspID: mspID, secret: secret, url: url,
                createdAt: services.time.now())
        link.url = url
        link.mspID = mspID
        link.secret = secret
        if let settings { link.settings = settings.json.bytes() }
        try await save(link, isNew: known == nil)
        return try await answer(link, showsSecret: false, isNew: known == nil)
    }

    func renewSecret() async throws(Problem) -> Response {
        var link = try await context.requireLink(.provider)
        link.secret = RandomBytes.make(GatewayLink.secretBytes)
        try await save(link, isNew: false)
        return try await answer(link, showsSecret: true, isNew: false)
    }

    func remove(_ side: GatewaySide) async throws(Problem) -> Response {
        let link = try await context.requireLink(side)
        let author = try context.requirePrincipal().author
        let wasThere: Bool
        do {
            wasThere = try await services.links.remove(link.id, author: author)
        } catch {
            throw services.problem(error)
        }
        guard wasThere else { throw .notFound }
        context.log.info("gateway_link_removed", ["link": .text(link.id.text)])
        return Response(status: .noContent)
    }

    private func save(_ link: GatewayLink, isNew: Bool) async throws(Problem) {
        let author = try context.requirePrincipal().author
        let isSaved: Bool
        do {
            isSaved = try await services.links.save(link, author: author)
        } catch {
            throw services.problem(error)
        }
        guard isSaved else {
            throw Problem(.nameTaken, "The business was given such a link a moment ago.")
        }
        context.log.info(
            isNew ? "gateway_link_made" : "gateway_link_changed",
            ["link": .text(link.id.text), "side": .text(link.side.rawValue)])
    }

    private func answer(
        _ link: GatewayLink, showsSecret: Bool, isNew: Bool
    ) async throws(Problem) -> Response {
        let counts = try await services.deliveryCounts(of: [link])
        let url = services.publicURL
        return .json(
            JSONWriter.object { text in
                switch link.side {
                case .provider: text.member("registration") { $0.link(link, counts, url) }
                case .upstream: text.member("upstream") { $0.link(link, counts, url) }
                }
                if showsSecret { text.member("secret", LinkSecret.encode(link.secret)) }
            }, status: isNew ? .created : .ok)
    }
}

extension RequestContext {
    /// The business of the path.
    func requireBusiness() async throws(Problem) -> Business {
        try await services.requireBusiness(try requireBusinessID())
    }

    /// A link of the path's business.
    func requireLink(_ side: GatewaySide) async throws(Problem) -> GatewayLink {
        let business = try await requireBusiness()
        guard let link = services.links.find(side, of: business.id) else { throw .notFound }
        return link
    }
}
