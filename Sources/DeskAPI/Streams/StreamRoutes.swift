import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore

extension RouteTable {
    /// Adds the event stream of integrations and the WebSocket of pages.
    public mutating func addStreams() {
        add(
            .get, "/api/events", operation: "streamEvents", right: .integration,
            query: .known(["business"])
        ) {
            call async throws(Problem) in try StreamRoutes(call).events()
        }
        add(.get, "/api/live", operation: "openLive", right: .member, query: .known(["business"])) {
            call async throws(Problem) in try StreamRoutes(call).live()
        }
    }
}

/// Answers the routes of `addStreams`.
struct StreamRoutes {
    private let call: RequestContext
    private var services: Services { call.services }

    init(_ call: RequestContext) { self.call = call }

    func events() throws(Problem) -> Response {
        let principal = try call.requirePrincipal()
        let stream = EventStream(
            services: services, feed: try feed(principal), watch: call.watch,
            cursor: Feed.cursor(call.request.headers.first("last-event-id")),
            lease: try services.streams.acquire(principal, call.request.peer))
        return Response(
            status: .ok,
            headers: ["Content-Type": "text/event-stream", "X-Accel-Buffering": "no"],
            body: .steps(stream))
    }

    func live() throws(Problem) -> Response {
        guard call.request.isWebSocketUpgrade else {
            throw Problem(.badRequest, "Open a WebSocket here.")
        }
        let principal = try call.requirePrincipal()
        let services = services
        let presence = Presence(services: services, principal: principal)
        let socket = try LiveSocket(
            call: call, feed: try feed(principal), gone: { presence.end() }
        ) { await presence.hear($0) }
        return socket.response()
    }

    private func feed(_ principal: Principal) throws(Problem) -> Feed {
        // The right saw to it that a business named here is one of the principal's.
        let business = call.request.query["business"].flatMap { BusinessID($0) }
        return .business(principal, only: business, services.directory)
    }
}
