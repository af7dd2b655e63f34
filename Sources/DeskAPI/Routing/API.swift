import DeskBytes
public import DeskHTTP
import DeskLog
import DeskModel

/// The whole HTTP side: proves the right of each request, paces it, answers it.
public struct API: Handler {
    private let router: Router
    private let proxies: TrustedProxies
    /// Every route, for the comparison with the OpenAPI file.
    public let table: RouteTable

    /// Puts the API together; `doors` find principals, `table` has every area's routes.
    public init(services: Services, doors: Authenticators, table: RouteTable) {
        var router = Router { request, status, _ in
            let problem = Self.problem(status)
            services.notes.count(problem.code)
            var response = problem.response
            Gate.addHeaders(to: &response)
            services.notes.begin(request).addHeaders(to: &response)
            return response
        }
        for row in table.rows {
            let gate = Gate(row: row, services: services, doors: doors)
            router.add(
                row.method, row.pattern, operation: row.operation, bodyLimit: row.bodyLimit
            ) { request in
                await gate.respond(to: request)
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

    /// Words what the router refuses by itself.
    private static func problem(_ status: Status) -> Problem {
        switch status.code {
        case 405: Problem(.methodNotAllowed, "The Allow header lists what can be done here.")
        case 413: Problem(.tooLarge, "The body has more bytes than this route reads.")
        default: .notFound
        }
    }
}
