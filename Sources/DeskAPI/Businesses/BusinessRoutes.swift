import DeskBroker
import DeskBytes
import DeskHTTP
import DeskJSON
import DeskLog
public import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the businesses of the server.
    public mutating func addBusinesses(limits: APILimits) {
        add(
            .get, "/api/businesses", operation: "listBusinesses", permission: .readBusinesses,
            business: .query,
            query: .known(["business"] + PageParameters.names)
        ) {
            context async throws(Problem) in try await BusinessRoutes(context).list()
        }
        add(
            .post, "/api/businesses", operation: "registerBusiness",
            permission: .registerBusinesses, business: .any,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await BusinessRoutes(context).register() }
        add(
            .get, "/api/businesses/{business}", operation: "getBusiness",
            permission: .readBusinesses, business: .path
        ) {
            context async throws(Problem) in try await BusinessRoutes(context).get()
        }
        add(
            .patch, "/api/businesses/{business}", operation: "changeBusiness",
            permission: .manageBusiness, business: .path,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await BusinessRoutes(context).change() }
    }
}

/// Answers the routes of `addBusinesses`.
struct BusinessRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let all = try await services.asking { store throws(StoreError) in
            try await store.businesses()
        }
        let businesses = context.businesses
        let own = all.filter { businesses.contains($0.id) }
        let page = try context.page(of: own) { $0.id.text }
        let services = services
        return .json(
            JSONWriter.object { text in
                text.list(page) { text, business in
                    text.business(business, principal.membership(in: business.id), services)
                }
            })
    }

    func register() async throws(Problem) -> Response {
        let agent = try context.requireAgent()
        var fields = try Fields(try await context.jsonBytes())
        let name = fields.requireName()
        let colour = fields.colour()
        let mode = fields.word("mode", Mode.self)
        try fields.finish()
        guard let name else { throw .notFound }
        let business = Business(
            id: BusinessID(services.broker.makeID()), name: name, colour: colour ?? "#3b5bdb",
            mode: mode ?? .live, createdAt: services.time.now())
        try await services.asking { store throws(StoreError) in
            try await store.save(business, author: .agent(agent.agent.id))
            try await store.setRole(
                .owner, of: agent.agent.id, in: business.id, author: .agent(agent.agent.id))
        }
        context.log.info("business_registered", ["business": .text(business.id.text)])
        return answer(business, .owner, .created)
    }

    func get() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let business = try await requireBusiness()
        return answer(business, principal.membership(in: business.id), .ok)
    }

    func change() async throws(Problem) -> Response {
        let business = try await requireBusiness()
        let id = business.id
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        let name = fields.value("name") == nil ? nil : fields.requireName()
        let colour = fields.colour()
        let assigns = fields.claim("assignsOnReply")
        let required = fields.claim("requiresSecondFactor")
        try fields.finish()
        // That more is required of members needs no second person.
        if required == false, business.requiresSecondFactor {
            try await context.requireApproval(of: .changeBusiness, in: [id], body: bytes)
        }
        if let required {
            try await require(required, in: id)
        }
        let author = try context.requirePrincipal().author
        let changed = try await services.changeBusiness(id, author: author) { business in
            if let name { business.name = name }
            if let colour { business.colour = colour }
            if let assigns { business.assignsOnReply = assigns }
        }
        context.log.info("business_changed", ["business": .text(changed.id.text)])
        return answer(changed, try context.requirePrincipal().membership(in: changed.id), .ok)
    }

    /// Requires a second factor of the members, or no longer.
    private func require(_ isRequired: Bool, in business: BusinessID) async throws(Problem) {
        let principal = try context.requireAgent()
        // It would close the business to itself.
        if isRequired, try await SecondFactorCheck(context).lacksPasskey(principal) {
            throw .passkeyRequired
        }
        let owner = principal.agent.id
        let outcome = try await services.asking { store throws(StoreError) in
            try await store.requireSecondFactor(isRequired, in: business, by: owner)
        }
        switch outcome {
        case .withoutFactor:
            throw Problem(
                .secondFactorMissing,
                "Set up a second factor or a passkey for your own account first: you would have no access to "
                    + "the business without one.")
        case .changed:
            context.log.info(
                isRequired ? "second_factor_required" : "second_factor_optional",
                ["business": .text(business.text)])
        case .unchanged: break
        }
    }

    private func requireBusiness() async throws(Problem) -> Business {
        let id = try context.requireBusinessID()
        return try await services.requireBusiness(id)
    }

    private func answer(_ business: Business, _ role: PrincipalRole?, _ status: Status) -> Response
    {
        var text = JSONWriter()
        text.business(business, role, services)
        return .json(text.bytes, status: status)
    }
}

extension Services {
    /// Changes a business as it is stored by then, so that changes at the same time are all kept; 404 when there
    /// is none.
    func changeBusiness(
        _ id: BusinessID, author: Author, _ apply: @escaping @Sendable (inout Business) -> Void
    ) async throws(Problem) -> Business {
        let changed = try await asking { store throws(StoreError) in
            try await store.changeBusiness(id, author: author, apply)
        }
        guard let changed else { throw .notFound }
        return changed
    }

    /// The business of this name; 404 when there is none.
    public func requireBusiness(_ id: BusinessID) async throws(Problem) -> Business {
        let found = try await asking { store throws(StoreError) in
            try await store.findBusiness(id)
        }
        guard let found else { throw .notFound }
        return found
    }
}

extension Principal {
    /// The agent's role in a business; nil for others and elsewhere.
    func membership(in business: BusinessID) -> PrincipalRole? {
        if case .agent(let agent) = self { agent.roles[business] } else { nil }
    }
}

extension Fields {
    /// A colour as `#rrggbb`.
    mutating func colour() -> String? {
        guard let text = text("colour", bytes: 0...64) else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes.first == UInt8(ascii: "#"),
            bytes.dropFirst().allSatisfy({ ASCII.hexValue($0) != nil })
        else {
            note("colour", "#rrggbb", "Write the colour as # and six hexadecimal digits.")
            return nil
        }
        return String(decoding: ASCII.lowercased(bytes), as: UTF8.self)
    }
}
