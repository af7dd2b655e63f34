import DeskHTTP
import DeskModel
import DeskWeb

/// Answers the requests of one route: authorization, origin, query, disk, rate limit, repeat, then
/// the handler.
///
/// It knows no credential and no permission by name: the authorizer decides who may call.
struct RequestPipeline: Sendable {
    let row: RouteTable.Row
    let services: Services
    let authorizer: any Authorizer
    /// What the route demands.
    let rule: AccessRule

    /// Puts the pipeline of a route together.
    init(
        _ row: RouteTable.Row, services: Services, authorizer: any Authorizer,
        permissions: PermissionTable
    ) {
        self.row = row
        self.services = services
        self.authorizer = authorizer
        rule = AccessRule(row.permission, row.business, in: permissions)
    }

    /// Answers a request; every refusal is a problem document.
    func respond(to request: Request) async -> Response {
        let trace = services.notes.begin(request)
        var rate: RateState?
        var response: Response
        var problem: ProblemCode?
        do {
            response = try await admit(request, trace, rate: &rate)
            // The answer for a file checks conditions of the request and may be a refusal itself.
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

    /// Says in every answer how it may be cached, and that no other site's page may load it.
    static func addHeaders(to response: inout Response) {
        let isKept = response.headers.contains("cache-control")
        let isShared = response.headers.contains("cross-origin-resource-policy")
        if !isKept, !isShared { return response.headers.append(contentsOf: usualHeaders) }
        if !isKept { response.headers.append("Cache-Control", "no-store") }
        response.headers.append("X-Content-Type-Options", "nosniff")
        if !isShared { response.headers.append("Cross-Origin-Resource-Policy", "same-origin") }
    }

    /// What most answers get, validated once.
    private static let usualHeaders: HeaderFields = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]

    private func admit(
        _ request: Request, _ trace: RequestTrace, rate: inout RateState?
    ) async throws(Problem) -> Response {
        // Read before any conversation, so that no event falls between the two.
        let head = row.needsHead ? authorizer.head : nil
        let access = try await authorizer.authorize(request, rule)
        let principal = access.principal
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
        let context = RequestContext(
            request: request, access: access, rule: rule, head: head, services: services,
            watch: PrincipalWatch(
                request: request, principal: principal, authorizer: authorizer),
            trace: trace)
        var response = try await repeatOrRun(context)
        authorizer.finish(&response, of: context)
        if row.rate == .own { rate = services.rates.take(0, from: subject) }
        return response
    }

    private func repeatOrRun(_ context: RequestContext) async throws(Problem) -> Response {
        guard row.repeating == .remembered || row.repeating == .refused,
            let field = context.request.headers.first("idempotency-key")
        else { return try await row.action(context) }
        guard row.repeating == .remembered else {
            throw Problem(
                .badRequest,
                "This answer holds a secret, which is not kept: leave Idempotency-Key out.")
        }
        return try await Remembering(call: context, row: row).answer(under: field)
    }
}
