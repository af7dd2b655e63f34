import DeskHTTP
import DeskModel
import DeskStore

/// Stands before one route: credential, origin, right, pace, repeat, then the handler.
struct Gate: Sendable {
    let row: RouteTable.Row
    let services: Services
    let doors: Authenticators

    /// Answers a request; every refusal is a problem document.
    func respond(to request: Request) async -> Response {
        let trace = services.notes.begin(request)
        var rate: RateState?
        var response: Response
        var problem: ProblemCode?
        do {
            response = try await admit(request, trace, rate: &rate)
            // What holds a file's answer against the request's fields refuses by itself.
            problem = ProblemCode.ofFile(response.status)
        } catch {
            response = error.response
            problem = error.code
        }
        services.notes.end(trace, operation: row.operation, response.status, problem)
        trace.addHeaders(to: &response)
        rate?.addHeaders(to: &response)
        Self.addHeaders(to: &response)
        return response
    }

    /// What every answer says about how it may be kept, and that no other site's page may load it.
    static func addHeaders(to response: inout Response) {
        if !response.headers.contains("cache-control") {
            response.headers.append("Cache-Control", "no-store")
        }
        response.headers.append("X-Content-Type-Options", "nosniff")
        if !response.headers.contains("cross-origin-resource-policy") {
            response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
        }
    }

    private func admit(
        _ request: Request, _ trace: RequestTrace, rate: inout RateState?
    ) async throws(Problem) -> Response {
        let (principal, conversation) = try await prove(request)
        if principal?.isMember == true { request.peer.markAuthenticated() }
        try OriginRule(publicURL: services.publicURL).check(request, principal)
        try row.query.check(request.query)
        if services.disk.isFull { try services.disk.admit(row) }
        let subject = RateSubject(principal, peer: request.peer).counted(by: row.rate)
        switch row.rate {
        case .write, .settings, .validation, .search:
            rate = services.rates.take(1, from: subject)
            if rate?.isRefused == true { throw Problem(Refusal.rateLimited) }
        case .own, .free:
            if principal != nil { rate = services.rates.take(0, from: subject) }
        }
        let call = RequestContext(
            request: request, principal: principal, conversation: conversation, services: services,
            watch: PrincipalWatch(
                request: request, principal: principal, services: services, doors: doors),
            trace: trace)
        var response = try await repeatOrRun(call)
        if case .customer(let phone) = principal, let token = phone.renewal {
            PhoneCookie.hand(token, to: phone.business, by: &response, for: call)
        }
        if row.rate == .own { rate = services.rates.take(0, from: subject) }
        return response
    }

    private func repeatOrRun(_ call: RequestContext) async throws(Problem) -> Response {
        guard row.repeating == .remembered || row.repeating == .refused,
            let field = call.request.headers.first("idempotency-key")
        else { return try await row.action(call) }
        guard row.repeating == .remembered else {
            throw Problem(
                .badRequest,
                "This answer holds a secret, which is not kept: leave Idempotency-Key out.")
        }
        return try await Remembering(call: call, row: row).answer(under: field)
    }

    // MARK: Who asks

    private func prove(
        _ request: Request
    ) async throws(Problem) -> (Principal?, Conversation?) {
        switch row.right {
        case .anyone: return (nil, nil)
        case .customer:
            guard let found = try await doors.customer.findPrincipal(of: request) else {
                throw .missingCredential
            }
            return (found, nil)
        case .visitor: return (try await doors.customer.findPrincipal(of: request), nil)
        case .sandbox:
            if let found = try await doors.sandbox.findPrincipal(of: request) {
                return (found, nil)
            }
            let found = try await doors.agent.findPrincipal(of: request)
            guard let found else { throw .missingCredential }
            guard let business = doors.sandboxBusiness, found.belongs(to: business) else {
                throw .missingPermission(for: row.right, found)
            }
            return (found, nil)
        case .agent, .owner, .role, .keeper, .integration, .staff, .member, .conversation:
            return try await proveBusinessEnd(request)
        }
    }

    private func proveBusinessEnd(
        _ request: Request
    ) async throws(Problem) -> (Principal?, Conversation?) {
        // A credential that was sent counts, and no other is looked for: a wrong key is never a guest.
        if request.headers.contains("authorization") {
            guard let found = try await doors.key.findPrincipal(of: request) else {
                throw .missingCredential
            }
            return (found, try await check(found, request))
        }
        let agent = try await doors.agent.findPrincipal(of: request)
        let sandbox = takesSandbox ? try await doors.sandbox.findPrincipal(of: request) : nil
        guard let first = agent ?? sandbox else { throw .missingCredential }
        guard agent != nil, let sandbox else { return (first, try await check(first, request)) }
        // Someone who has both may have opened the sandbox page without being its member.
        do {
            return (first, try await check(first, request))
        } catch {
            guard error.code == .notFound || error.code == .forbidden else { throw error }
            return (sandbox, try await check(sandbox, request))
        }
    }

    private var takesSandbox: Bool {
        row.right == .member || row.right == .conversation || row.right == .keeper
    }

    private func check(
        _ principal: Principal, _ request: Request
    ) async throws(Problem) -> Conversation? {
        switch row.right {
        case .agent:
            guard case .agent = principal else {
                throw .missingPermission(for: row.right, principal)
            }
        case .owner:
            guard case .agent(let agent) = principal, agent.isOwner else {
                throw .missingPermission(for: row.right, principal)
            }
        case .role(let role): try check(principal, role, request)
        case .keeper:
            guard case .sandbox(let sandbox) = principal else {
                try check(principal, .owner, request)
                return nil
            }
            guard request.parameters["business"].flatMap({ BusinessID($0) }) == sandbox.business
            else { throw .notFound }
        case .integration:
            if case .sandbox = principal {
                throw .missingPermission(for: row.right, principal)
            }
            try checkNamedBusiness(principal, request)
        case .staff:
            guard let business = request.parameters["business"].flatMap({ BusinessID($0) }),
                principal.belongs(to: business)
            else { throw .notFound }
        case .member: try checkNamedBusiness(principal, request)
        case .conversation: return try await findConversation(principal, request)
        case .anyone, .sandbox, .customer, .visitor: break
        }
        return nil
    }

    private func check(
        _ principal: Principal, _ role: Role, _ request: Request
    ) throws(Problem) {
        guard case .agent(let agent) = principal else {
            throw .missingPermission(for: row.right, principal)
        }
        guard let business = request.parameters["business"].flatMap({ BusinessID($0) }),
            let held = agent.roles[business]
        else { throw .notFound }
        guard held == .owner || role == .agent else {
            throw .missingPermission(for: row.right, principal)
        }
    }

    /// A business that the query names must be one of the principal's.
    private func checkNamedBusiness(
        _ principal: Principal, _ request: Request
    ) throws(Problem) {
        guard let text = request.query["business"] else { return }
        guard let id = BusinessID(text), principal.belongs(to: id) else { throw .notFound }
    }

    private func findConversation(
        _ principal: Principal, _ request: Request
    ) async throws(Problem) -> Conversation {
        guard let id = request.parameters["conversation"].flatMap({ ConversationID($0) }) else {
            throw .notFound
        }
        let found = try await services.asking { store throws(StoreError) in
            try await store.findConversation(id)
        }
        guard let found, principal.belongs(to: found.business) else { throw .notFound }
        return found
    }
}
