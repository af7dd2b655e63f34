import DeskGateway
import DeskHTTP

/// The whole HTTP side of a server: the gateway's paths to the gateway, everything else to the API.
struct RootHandler: Handler {
    let gateway: GatewayHandler
    let api: any Handler

    func respond(to request: Request) async -> Response {
        let root = request.path.segments.first ?? ""
        let isGateway = gateway.roots.contains(root)
        return await isGateway ? gateway.respond(to: request) : api.respond(to: request)
    }
}
