public import DeskHTTP
import DeskModel
public import DeskWeb

/// The routes of this product.
public typealias RouteTable = Routes<Services>

/// An authorized request of this product, with what the pipeline found out about it.
public typealias RequestContext = RoutedRequest<Services>

/// The HTTP API: its routes with its permissions.
public struct API: Handler {
    private let handler: RouteHandler<Services>
    private let services: Services
    private let missing: MissingPage?
    private let own: OwnRoutes.Target
    /// Every route, for the comparison with the OpenAPI file.
    public let table: RouteTable

    /// Puts the API together; `table` has every area's routes, `services` who may call them, and
    /// `missing` is shown to a person whose address has none.
    ///
    /// It traps on a route that needs a permission for a business and does not say for which.
    public init(
        services: Services, authenticators: Authenticators, table: RouteTable,
        missing: MissingPage? = nil
    ) {
        let permissions = services.permissions
        for row in table.rows {
            precondition(
                row.business != .none
                    || permissions.roles(with: row.permission).allSatisfy {
                        $0 == .anyone || $0 == .person
                    },
                "\(row.operation) does not say for which business \(row.permission.name) is needed")
        }
        handler = RouteHandler(
            table, services: services,
            authorizer: RequestAuthorizer(services: services, authenticators: authenticators),
            permissions: permissions)
        own = OwnRoutes.Target(handler)
        services.ownRoutes.set(own)
        self.table = table
        self.services = services
        self.missing = missing
    }

    /// What the frame of a widget asks, `/api/widget/{business}/phone/…`, is a request of the customer's page,
    /// `/api/phone/{business}/…`, with the cookies of the frame.
    private static func routed(_ request: Request) -> Request {
        guard WidgetCookie.isOwn(request) else { return request }
        let path = request.path.segments
        guard path.count > 3, path[3] == "phone" else { return request }
        return request.rerouted(
            to: RequestPath(segments: ["api", "phone", path[2]] + path.dropFirst(4)))
    }

    /// Gives the response of the route that fits.
    public func respond(to request: Request) async -> Response {
        var response = await handler.respond(to: Self.routed(request))
        missing?.replace(&response, for: request, isSecure: services.isSecure(request))
        return response
    }
}
