import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the event stream of integrations and the WebSocket of pages.
    public mutating func addStreams() {
        add(
            .get, "/api/events", operation: "streamEvents", permission: .followEvents,
            business: .query,
            query: .known(["business"])
        ) {
            call async throws(Problem) in try StreamRoutes(call).events()
        }
        add(
            .get, "/api/live", operation: "openLive", permission: .followLive, business: .query,
            query: .known(["business"])
        ) {
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
            services: services, feed: feed(principal), watch: call.watch,
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
        let presence = Presence(call, of: principal)
        let socket = try LiveSocket(
            call: call, feed: feed(principal), gone: { presence.end() }
        ) { await presence.hear($0) }
        return socket.response()
    }

    private func feed(_ principal: Principal) -> Feed {
        .business(principal, in: call.businesses, services.authorNames)
    }
}
