import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore

extension RouteTable {
    /// Adds the keys of integrations.
    public mutating func addKeys(limits: APILimits) {
        add(.get, "/api/keys", operation: "listKeys", right: .owner) {
            call async throws(Problem) in try await KeyRoutes(call).list()
        }
        add(
            .post, "/api/keys", operation: "makeKey", right: .owner,
            bodyLimit: limits.recordBytes, pace: .write, repeating: .refused
        ) { call async throws(Problem) in try await KeyRoutes(call).make() }
        add(
            .delete, "/api/keys/{key}", operation: "revokeKey", right: .owner, pace: .write
        ) { call async throws(Problem) in try await KeyRoutes(call).revoke() }
    }
}

/// Answers the routes of `addKeys`.
struct KeyRoutes {
    private let call: Call
    private var services: Services { call.services }

    init(_ call: Call) { self.call = call }

    func list() async throws(Problem) -> Response {
        let keys = try await ownKeys()
        return .json(
            JSONText.object { text in
                text.member("data") { text in
                    text.array { text in
                        for key in keys { text.key(key) }
                    }
                }
                text.member("hasMore", false)
                text.member("next", String?.none)
            })
    }

    func make() async throws(Problem) -> Response {
        let agent = try call.requireAgent()
        var fields = try Fields(try await call.jsonBytes())
        let name = fields.requireName()
        let elements = fields.requireElements("businesses", count: 1...100) ?? []
        var ids: [BusinessID] = []
        for element in elements {
            if let id = element.string.flatMap({ BusinessID($0) }), agent.roles[id] == .owner {
                if !ids.contains(id) { ids.append(id) }
            } else {
                fields.note(
                    .value, element, "the id of a business that you own",
                    "Take the ids from GET /api/businesses.")
            }
        }
        try fields.finish()
        guard let name else { throw .notFound }
        var businesses: [Business] = []
        for id in ids { businesses.append(try await services.requireBusiness(id)) }
        let (key, secret) = try await KeyMint(call).make(
            name: name, businesses: businesses)
        return .json(
            JSONText.object { text in
                text.member("key") { $0.key(key) }
                text.member("secret", secret)
            }, status: .created)
    }

    func revoke() async throws(Problem) -> Response {
        guard let id = call.request.parameters["key"].flatMap({ KeyID($0) }),
            try await ownKeys().contains(where: { $0.id == id })
        else { throw .notFound }
        do {
            _ = try await services.keys.revoke(id)
        } catch {
            throw Problem(error)
        }
        call.log.info("key_revoked", ["key": .text(id.text)])
        return Response(status: .noContent)
    }

    /// The keys all of whose businesses the agent owns.
    private func ownKeys() async throws(Problem) -> [APIKey] {
        let agent = try call.requireAgent()
        let keys = try await services.asking { store throws(StoreError) in try await store.keys() }
        return keys.filter { key in key.businesses.allSatisfy { agent.roles[$0] == .owner } }
    }
}
