import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the keys of integrations, and their grants for each business.
    public mutating func addKeys(limits: APILimits) {
        add(
            .get, "/api/keys", operation: "listKeys", permission: .manageKeys, business: .any,
            query: .known(PageParameters.names + [KeyRoutes.revoked])
        ) { context async throws(Problem) in try await KeyRoutes(context).list() }
        add(
            .post, "/api/keys", operation: "makeKey", permission: .manageKeys, business: .any,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .refused
        ) { context async throws(Problem) in try await KeyRoutes(context).make() }
        add(
            .delete, "/api/keys/{key}", operation: "revokeKey", permission: .manageKeys,
            business: .any, rate: .write
        ) { context async throws(Problem) in try await KeyRoutes(context).revoke() }
        add(
            .post, "/api/keys/{key}/replacement", operation: "replaceKey",
            permission: .manageKeys, business: .any, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .refused
        ) { context async throws(Problem) in try await KeyRoutes(context).replace() }
        add(
            .get, "/api/keys/{key}/requests", operation: "listKeyRequests",
            permission: .manageKeys, business: .any, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await KeyRoutes(context).requests() }
        let path = "/api/businesses/{business}/keys"
        add(
            .get, path, operation: "listBusinessKeys", permission: .manageKeys, business: .path,
            query: .known(PageParameters.names + [KeyRoutes.revoked])
        ) { context async throws(Problem) in try await KeyRoutes(context).listOfBusiness() }
        add(
            .put, path + "/{key}", operation: "confirmKeyGrant", permission: .manageKeys,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await KeyRoutes(context).confirmGrant() }
        add(
            .delete, path + "/{key}", operation: "endKeyGrant", permission: .manageKeys,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await KeyRoutes(context).endGrant() }
    }
}

/// Answers the routes of `addKeys`.
struct KeyRoutes {
    /// The parameter that says whether keys that were revoked long ago are listed.
    static let revoked = "filter[revoked]"

    private enum Revoked: String, CaseIterable {
        case recent, include
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// The keys of all businesses whose keys the agent may manage.
    func list() async throws(Problem) -> Response {
        let businesses = context.businesses
        return try await answer(of: nil) { businesses.contains($0) }
    }

    /// The keys of the path's business.
    func listOfBusiness() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return try await answer(of: business) { $0 == business }
    }

    func make() async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let name = fields.requireName()
        let elements = fields.requireElements("businesses", count: 1...100) ?? []
        var ids: [BusinessID] = []
        for element in elements {
            if let id = element.string.flatMap({ BusinessID($0) }), context.isPermitted(in: id) {
                if !ids.contains(id) { ids.append(id) }
            } else {
                fields.note(
                    .value, element, "the id of a business whose keys you may manage",
                    "Take the ids from GET /api/businesses.")
            }
        }
        let limits = fields.keyLimits(now: services.time.now())
        try fields.finish()
        guard let name else { throw .notFound }
        var businesses: [Business] = []
        for id in ids { businesses.append(try await services.requireBusiness(id)) }
        let (key, secret) = try await KeyMint(context).make(
            name: name, businesses: businesses, limits: limits, maker: agent.agent.id,
            permitted: context.permittedRoles
        ) { () async throws(Problem) in
            try await context.requireApproval(of: .makeKey, in: ids, body: bytes)
        }
        return answer(key, secret, madeBy: agent)
    }

    /// Makes a key in the place of another one, which goes on for a while.
    ///
    /// Only for who may manage it in all its businesses: the new one has the same.
    func replace() async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        let businesses = context.businesses
        let key = try await requireKey { businesses.contains($0) }
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let overlap = fields.number("overlapSeconds", 0...Self.longestOverlap)
        let end = fields.end(after: services.time.now())
        try fields.finish()
        guard key.businesses.allSatisfy({ businesses.contains($0) }) else {
            throw Problem(
                .forbidden,
                "The key is also for businesses whose keys you may not manage. Ask an owner of all of them."
            )
        }
        let made = try await KeyMint(context).replace(
            key, overlap: .seconds(overlap ?? Self.usualOverlap), expiresAt: end,
            maker: agent.agent.id, permitted: context.permittedRoles
        ) { () async throws(Problem) in
            try await context.requireApproval(of: .replaceKey, in: key.businesses, body: bytes)
        }
        guard let made else {
            throw Problem(.invalid, "The key was revoked. Make a new one instead.")
        }
        let until = services.time.now().advanced(by: .seconds(overlap ?? Self.usualOverlap))
        await services.announcing(context.log) { broker throws(BrokerError) in
            try await broker.publishReplaced(
                key.id, by: made.key, until: until, author: .agent(agent.agent.id))
        }
        return answer(made.key, made.text, madeBy: agent)
    }

    /// What a key was used for lately, newest first.
    func requests() async throws(Problem) -> Response {
        let businesses = context.businesses
        let key = try await requireKey { businesses.contains($0) }
        let requests = services.keyRequests
        let found = try await services.asking { store throws(StoreError) in
            try await requests.flush()
            return try await store.requests(of: key.id)
        }
        let page = try context.page(of: found) { $0.request }
        return .json(JSONWriter.object { $0.list(page) { $0.keyRequest($1) } })
    }

    /// The seconds for which a replaced key goes on at most, and when nothing is said.
    static let (longestOverlap, usualOverlap) = (30 * 86_400, 86_400)

    private func answer(_ key: APIKey, _ secret: String, madeBy agent: AgentPrincipal) -> Response {
        let authorNames = services.authorNames
        authorNames.remember(agent.agent)
        return .json(
            JSONWriter.object { text in
                text.member("key") { $0.key(key, authorNames) }
                text.member("secret", secret)
            }, status: .created)
    }

    /// Ends a key for every business whose keys the agent may manage.
    func revoke() async throws(Problem) -> Response {
        let author = try context.requirePrincipal().author
        let businesses = context.businesses
        let key = try await requireKey { businesses.contains($0) }
        if key.businesses.allSatisfy({ businesses.contains($0) }) {
            do {
                if try await services.keys.revoke(key.id, author: author) {
                    await publishEnd(of: key.id, for: key.businesses)
                }
            } catch {
                throw Problem(error)
            }
        } else {
            for business in key.businesses where businesses.contains(business) {
                let hasEnded = try await services.asking { store throws(StoreError) in
                    try await store.removeGrant(of: key.id, for: business, author: author)
                }
                if hasEnded { await publishEnd(of: key.id, for: [business]) }
            }
        }
        context.log.info("key_revoked", ["key": .text(key.id.text)])
        return Response(status: .noContent)
    }

    /// Ends a key for the path's business alone.
    func endGrant() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let key = try await requireKey { $0 == business }
        let author = try context.requirePrincipal().author
        let hasEnded = try await services.asking { store throws(StoreError) in
            try await store.removeGrant(of: key.id, for: business, author: author)
        }
        guard hasEnded else { throw .notFound }
        await publishEnd(of: key.id, for: [business])
        context.log.info(
            "key_grant_ended",
            ["key": .text(key.id.text), "business": .text(business.text)])
        return Response(status: .noContent)
    }

    private func publishEnd(of key: KeyID, for businesses: [BusinessID]) async {
        guard let author = context.principal?.author else { return }
        await services.announcing(context.log) { broker throws(BrokerError) in
            try await broker.publishRevoked(key, for: businesses, by: author)
        }
    }

    /// Makes the asking member answer for a key in the path's business, instead of the earlier one.
    func confirmGrant() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let member = try context.requireAgent().agent.id
        let permitted = context.permittedRoles
        let key = try await requireKey { $0 == business }
        try await context.requireApproval(of: .confirmKeyGrant, in: [business])
        let now = services.time.now()
        let isConfirmed = try await services.asking { store throws(StoreError) in
            try await store.confirmGrant(
                of: key.id, for: business, by: member, permitted: permitted, at: now)
        }
        guard isConfirmed else { throw .notFound }
        context.log.info(
            "key_grant_confirmed",
            [
                "key": .text(key.id.text), "business": .text(business.text),
                "agent": .text(member.text),
            ])
        return Response(status: .noContent)
    }

    /// The keys with a grant for some businesses; of each only these grants are shown.
    private func answer(
        of business: BusinessID?, _ isShown: (BusinessID) -> Bool
    ) async throws(Problem) -> Response {
        let wanted = try context.request.query.word(Self.revoked, Revoked.self) ?? .recent
        let since =
            switch wanted {
            case .recent: APIKey.revokedSince(services.time.now())
            case .include: Timestamp(milliseconds: .min)
            }
        var keys = try await services.asking { store throws(StoreError) in
            try await store.keys(of: business, revokedSince: since)
        }
        for place in keys.indices { keys[place].grants.removeAll { !isShown($0.business) } }
        keys.removeAll { $0.grants.isEmpty }
        let page = try context.page(of: keys) { $0.id.text }
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in
            try await authorNames.load(
                page.elements.flatMap(\.grants).compactMap(\.maker).map { .agent($0) })
        }
        return .json(
            JSONWriter.object { text in
                text.list(page) { $0.key($1, authorNames) }
            })
    }

    /// The path's key, when it has a grant for one of some businesses; 404 without.
    private func requireKey(_ isOwn: (BusinessID) -> Bool) async throws(Problem) -> APIKey {
        guard let id = context.request.parameters["key"].flatMap({ KeyID($0) }),
            let key = try await services.asking({ store throws(StoreError) in
                try await store.findKey(id)
            }), key.businesses.contains(where: isOwn)
        else { throw .notFound }
        return key
    }
}
