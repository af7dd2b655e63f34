public import DeskHTTP

/// Serves a table of routes: a pipeline for each behind one router.
public struct RouteHandler<Services: WebServices>: Handler {
    private let router: Router
    private let proxies: TrustedProxies

    /// Puts the pipelines together; `permissions` says which role has which.
    public init(
        _ table: Routes<Services>, services: Services, authorizer: any Authorizer,
        permissions: PermissionTable
    ) {
        var router = Router { request, status, _ in
            var response: Response
            if status.code == 404, let page = Self.page(of: request) {
                response = Response(status: .found, headers: ["Location": page])
            } else {
                let problem = Self.problem(status, bodyLimit: request.body.limit)
                services.notes.count(problem.code)
                response = problem.response
            }
            response.addCommonHeaders()
            services.notes.begin(request).addHeaders(to: &response)
            return response
        }
        for row in table.rows {
            let pipeline = RoutePipeline(
                row, services: services, authorizer: authorizer, permissions: permissions)
            router.add(
                row.method, row.pattern, operation: row.operation, bodyLimit: row.bodyLimit
            ) { request in
                await pipeline.respond(to: request)
            }
        }
        self.router = router
        proxies = services.proxies
    }

    /// Gives the response of the route that fits.
    public func respond(to request: Request) async -> Response {
        var request = request
        request.peer = proxies.peer(of: request)
        return await router.respond(to: request)
    }

    /// Where a page for people is whose address came with a slash behind it, as people and shorteners of links write it;
    /// nil for every other address.
    private static func page(of request: Request) -> String? {
        let segments = request.path.segments
        guard request.method == .get || request.method == .head, segments.last == "",
            let first = segments.first, ["b", "j", "sandbox"].contains(first)
        else { return nil }
        let path = request.target.prefix { $0 != "?" }
        guard let end = path.lastIndex(where: { $0 != "/" }), path.first == "/" else { return nil }
        return String(path[...end]) + request.target[path.endIndex...]
    }

    /// The problem for what the router refuses by itself.
    ///
    /// - Parameter bodyLimit: for 413, most bytes of a body that the route reads.
    private static func problem(_ status: Status, bodyLimit: Int) -> Problem {
        switch status.code {
        case 405: Problem(.methodNotAllowed, "The Allow header lists what can be done here.")
        case 413 where bodyLimit == 0: Problem(.tooLarge, "This route reads no body: send none.")
        case 413: Problem(.tooLarge, "The body has more bytes than this route reads.")
        default: .notFound
        }
    }
}
