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
    /// Every route, for the comparison with the OpenAPI file.
    public let table: RouteTable

    /// Puts the API together; `table` has every area's routes.
    ///
    /// It traps on a route that needs a permission for a business and does not say for which.
    public init(
        services: Services, authenticators: Authenticators, table: RouteTable,
        permissions: PermissionTable = .product
    ) {
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
            authorizer: RequestAuthorizer(
                services: services, authenticators: authenticators, table: permissions),
            permissions: permissions)
        self.table = table
    }

    /// Gives the response of the route that fits.
    public func respond(to request: Request) async -> Response {
        await handler.respond(to: request)
    }
}
