package import DeskHTTP

/// An endpoint that another module has the gateway serve: its requests are named, logged and counted
/// like the gateway's own.
package struct GatewayEndpoint: Sendable {
    /// Answers a request; what it finds out about it goes into the wire log.
    package typealias Action =
        @Sendable (inout GatewayContext) async throws(GatewayRefusal) ->
        Response

    let method: Method
    let pattern: String
    let operation: String
    let demand: RouteDemand
    let bodyLimit: Int
    let action: Action

    /// Describes an endpoint; `pattern` begins with a slash, `bodyLimit` is in bytes.
    package init(
        _ method: Method, _ pattern: String, _ operation: String, _ demand: RouteDemand,
        bodyLimit: Int, action: @escaping Action
    ) {
        self.method = method
        self.pattern = pattern
        self.operation = operation
        self.demand = demand
        self.bodyLimit = bodyLimit
        self.action = action
    }
}
