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
        addWhatsApp(path, limits: limits)
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
    /// How often a change is made anew that others came before.
    private static let mostSaves = 5

    let context: RequestContext
    var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let registration = services.links.find(.provider, of: business.id)
        let upstream = services.links.find(.upstream, of: business.id)
        let whatsapp = services.links.find(.whatsapp, of: business.id)
        let counts = try await services.deliveryCounts(of: [registration, upstream, whatsapp])
        let url = services.publicURL
        let unknown = whatsapp.map { services.links.unknownNumbers(of: $0) } ?? []
        return .json(
            JSONWriter.object { text in
                text.member("registration") { $0.link(registration, counts, url) }
                text.member("upstream") { $0.link(upstream, counts, url) }
                text.member("whatsapp") { $0.link(whatsapp, counts, url, unknown: unknown) }
            })
    }

    func putRegistration() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let bytes = try await context.jsonBytes()
        let (link, isNew) = try await save(
            .provider, of: business.id, as: .putRegistration, bytes
        ) { known throws(Problem) in
            var fields = try Fields(bytes)
            let url = fields.linkAddress("endpoint", for: business.mode)
            let mspID = fields.mspID()
            let secret = fields.linkSecret()
            let settings = try fields.linkSettings(reading: services.faultSettings)
            try fields.finish()
            guard let url else { throw .notFound }
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
            return link
        }
        return try await answer(link, showsSecret: isNew, isNew: isNew)
    }

    func putUpstream() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let bytes = try await context.jsonBytes()
        let (link, isNew) = try await save(
            .upstream, of: business.id, as: .putUpstream, bytes
        ) { known throws(Problem) in
            var fields = try Fields(bytes)
            let url = fields.linkAddress("baseUrl", for: business.mode)
            if known == nil {
                _ = fields.requireValue("mspId")
                _ = fields.requireValue("secret")
            }
            let mspID = fields.mspID()
            let secret = fields.linkSecret()
            let settings = try fields.linkSettings(reading: services.faultSettings)
            try fields.finish()
            guard let url, let mspID = mspID ?? known?.mspID, let secret = secret ?? known?.secret
            else {
                throw Problem(.invalid, "A new connection needs baseUrl, mspId and secret.")
            }
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
            return link
        }
        return try await answer(link, showsSecret: false, isNew: isNew)
    }

    func renewSecret() async throws(Problem) -> Response {
        let known = try await context.requireLink(.provider)
        let secret = RandomBytes.make(GatewayLink.secretBytes)
        let (link, _) = try await save(
            .provider, of: known.business, as: .renewRegistrationSecret, []
        ) { known throws(Problem) in
            guard var link = known else { throw .notFound }
            link.secret = secret
            return link
        }
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

    /// Makes a business's link of a side or changes the one that there is, and stores it; again where another
    /// change came before.
    func save(
        _ side: GatewaySide, of business: BusinessID, as operation: GuardedOperation,
        _ body: [UInt8], _ make: (GatewayLink?) throws(Problem) -> GatewayLink
    ) async throws(Problem) -> (link: GatewayLink, isNew: Bool) {
        let author = try context.requirePrincipal().author
        var isApproved = false
        for _ in 0..<Self.mostSaves {
            let known = services.links.find(side, of: business)
            let link = try make(known)
            if !isApproved {
                try await context.requireApproval(of: operation, in: [business], body: body)
                isApproved = true
            }
            let isSaved: Bool
            do {
                isSaved = try await services.links.save(link, over: known, author: author)
            } catch {
                throw services.problem(error)
            }
            guard isSaved else { continue }
            context.log.info(
                known == nil ? "gateway_link_made" : "gateway_link_changed",
                ["link": .text(link.id.text), "side": .text(side.rawValue)])
            return (link, known == nil)
        }
        throw Problem(.unavailable, "The connection is being changed by others. Try again.")
    }

    private func answer(
        _ link: GatewayLink, showsSecret: Bool, isNew: Bool
    ) async throws(Problem) -> Response {
        let counts = try await services.deliveryCounts(of: [link])
        let url = services.publicURL
        let unknown = services.links.unknownNumbers(of: link)
        return .json(
            JSONWriter.object { text in
                switch link.side {
                case .provider: text.member("registration") { $0.link(link, counts, url) }
                case .upstream: text.member("upstream") { $0.link(link, counts, url) }
                case .whatsapp:
                    text.member("whatsapp") { $0.link(link, counts, url, unknown: unknown) }
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
