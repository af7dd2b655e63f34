import DeskHTTP
import DeskModel

/// Answers the requests of one route: authorization, origin, query, disk, rate limit, repeat, then
/// the handler.
///
/// It knows no credential and no permission by name: the authorizer decides who may call.
struct RoutePipeline<Services: WebServices>: Sendable {
    private let row: Routes<Services>.Row
    private let services: Services
    private let authorizer: any Authorizer
    /// What the route demands.
    private let rule: AccessRule
    // Read once: each reading through the protocol is a call and a copy.
    private let notes: RequestNotes
    private let rates: RateBuckets
    private let disk: DiskGuard
    private let origins: OriginRule

    /// Puts the pipeline of a route together.
    init(
        _ row: Routes<Services>.Row, services: Services, authorizer: any Authorizer,
        permissions: PermissionTable
    ) {
        self.row = row
        self.services = services
        self.authorizer = authorizer
        rule = AccessRule(row.permission, row.business, in: permissions)
        notes = services.notes
        rates = services.rates
        disk = services.disk
        origins = OriginRule(publicURL: services.publicURL)
    }

    /// Answers a request; every refusal is a problem document.
    func respond(to request: Request) async -> Response {
        let trace = notes.begin(request)
        let begin = services.time.instant()
        var caller: KeyID?
        var sender: String?
        var rate: RateState?
        var response: Response
        var problem: ProblemCode?
        do {
            response = try await admit(
                request, trace, rate: &rate, caller: &caller, sender: &sender)
            // The answer for a file checks conditions of the request and may be a refusal itself.
            problem = ProblemCode.ofFile(response.status)
        } catch {
            response = error.response(as: row.refusals)
            problem = error.code
        }
        notes.end(
            trace, operation: row.operation, response.status, problem,
            by: sender ?? caller.map { "key:\($0.text)" },
            lasting: services.time.instant() - begin)
        if let caller {
            let span = services.time.instant() - begin
            services.note(
                KeyRequest(
                    time: services.time.now(), operation: row.operation,
                    status: Int(response.status.code), code: problem?.rawValue ?? "",
                    milliseconds: Int(span / .milliseconds(1)), address: request.peer.address,
                    request: trace.id), of: caller)
        }
        trace.addHeaders(to: &response)
        rate?.addHeaders(to: &response)
        if request.query.hasAny(of: row.query.older) { response.addDeprecation() }
        response.addCommonHeaders()
        return response
    }

    /// Runs the checks and the handler; `sender` is set where a line of the log may name it.
    private func admit(
        _ request: Request, _ trace: RequestTrace, rate: inout RateState?, caller: inout KeyID?,
        sender: inout String?
    ) async throws(Problem) -> Response {
        // Read before any conversation, so that no event falls between the two.
        let head = row.needsHead ? authorizer.head : nil
        let access = try await authorizer.authorize(request, rule, caller: &caller)
        let principal = access.principal
        if notes.writesEach { sender = principal?.credential }
        if principal?.isMember == true { request.peer.markAuthenticated() }
        switch row.origins {
        case .own: try origins.check(request, principal)
        case .ofBusiness, .any: break
        }
        var request = request
        request.rename(row.query.older)
        try row.query.check(request.query)
        if disk.isFull { try disk.admit(row.method, goesOnWhenFull: row.goesOnWhenFull) }
        let subject = RateSubject(principal, peer: request.peer).counted(by: row.rate)
        switch row.rate {
        case .write, .settings, .validation, .search:
            rate = rates.take(1, from: subject)
            if rate?.isRefused == true { throw Problem(Refusal.rateLimited) }
        case .own, .free:
            if principal != nil { rate = rates.take(0, from: subject) }
        }
        let context = RoutedRequest(
            request: request, access: access, rule: rule, head: head, services: services,
            watch: PrincipalWatch(
                request: request, principal: principal, authorizer: authorizer),
            trace: trace)
        var response: Response
        do throws(Problem) {
            response = try await repeatOrRun(context)
        } catch {
            sender = principal?.credential
            throw error
        }
        authorizer.finish(&response, to: request, access)
        if row.rate == .own { rate = rates.take(0, from: subject) }
        return response
    }

    private func repeatOrRun(
        _ context: RoutedRequest<Services>
    ) async throws(Problem) -> Response {
        guard row.repeating == .remembered || row.repeating == .refused,
            let field = context.request.headers.first("idempotency-key")
        else { return try await row.action(context) }
        guard row.repeating == .remembered else {
            throw Problem(
                .badRequest,
                "This answer holds a secret, which is not kept: leave Idempotency-Key out.")
        }
        let bytes = try await context.bytes()
        let again = context.with(body: bytes)
        let action = row.action
        return try await services.answerOnce(context.request, by: context.principal, field, bytes) {
            () async throws(Problem) in try await action(again)
        }
    }
}

extension Response {
    /// Says that the request used a name of before (RFC 9745), and where it is said what goes when.
    ///
    /// There is no `Sunset`: no date is set from which such a name is refused.
    fileprivate mutating func addDeprecation() {
        headers.append("Deprecation", "@\(Self.olderNamesDeprecatedAt)")
        headers.append("Link", "</docs/api#versions>; rel=\"deprecation\"; type=\"text/html\"")
    }

    /// When lists got their names of today: the 26th of November 2026.
    private static let olderNamesDeprecatedAt = 1_795_651_200

    /// Says in every answer how it may be cached, and that no other site's page may load it.
    mutating func addCommonHeaders() {
        let isKept = headers.contains("cache-control")
        let isShared = headers.contains("cross-origin-resource-policy")
        if !isKept, !isShared { return headers.append(contentsOf: Self.commonHeaders) }
        if !isKept { headers.append("Cache-Control", "no-store") }
        headers.append("X-Content-Type-Options", "nosniff")
        if !isShared { headers.append("Cross-Origin-Resource-Policy", "same-origin") }
    }

    /// What most answers get, validated once.
    private static let commonHeaders: HeaderFields = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    ]
}
