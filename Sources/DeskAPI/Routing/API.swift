import DeskBytes
public import DeskHTTP
import DeskLog
import DeskModel
public import DeskWeb

/// The HTTP API: a pipeline for each route behind one router.
public struct API: Handler {
    private let router: Router
    private let proxies: TrustedProxies
    /// Every route, for the comparison with the OpenAPI file.
    public let table: RouteTable

    /// Puts the API together; `table` has every area's routes.
    ///
    /// It traps on a route that needs a permission for a business and does not say for which.
    public init(
        services: Services, authenticators: Authenticators, table: RouteTable,
        permissions: PermissionTable = .product
    ) {
        let authorizer = RequestAuthorizer(
            services: services, authenticators: authenticators, table: permissions)
        var router = Router { request, status, _ in
            let problem = Self.problem(status)
            services.notes.count(problem.code)
            var response = problem.response
            RequestPipeline.addHeaders(to: &response)
            services.notes.begin(request).addHeaders(to: &response)
            return response
        }
        for row in table.rows {
            precondition(
                row.business != .none
                    || permissions.roles(with: row.permission).allSatisfy {
                        $0 == .anyone || $0 == .person
                    },
                "\(row.operation) does not say for which business \(row.permission.name) is needed")
            let pipeline = RequestPipeline(
                row, services: services, authorizer: authorizer, permissions: permissions)
            router.add(
                row.method, row.pattern, operation: row.operation, bodyLimit: row.bodyLimit
            ) { request in
                await pipeline.respond(to: request)
            }
        }
        self.router = router
        proxies = services.proxies
        self.table = table
    }

    /// Gives the response of the route that fits.
    public func respond(to request: Request) async -> Response {
        var request = request
        request.peer = proxies.peer(of: request)
        return await router.respond(to: request)
    }

    /// The problem for what the router refuses by itself.
    private static func problem(_ status: Status) -> Problem {
        switch status.code {
        case 405: Problem(.methodNotAllowed, "The Allow header lists what can be done here.")
        case 413: Problem(.tooLarge, "The body has more bytes than this route reads.")
        default: .notFound
        }
    }
}
