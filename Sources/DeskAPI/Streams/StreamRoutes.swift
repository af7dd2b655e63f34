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
            context async throws(Problem) in try StreamRoutes(context).events()
        }
        add(
            .get, "/api/live", operation: "openLive", permission: .followLive, business: .query,
            query: .known(["business"])
        ) {
            context async throws(Problem) in try await StreamRoutes(context).live()
        }
    }
}

/// Answers the routes of `addStreams`.
struct StreamRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func events() throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let stream = EventStream(
            services: services, feed: feed(principal), watch: context.watch,
            cursor: Feed.cursor(context.request.headers.first("last-event-id")),
            lease: try services.streams.acquire(principal, context.request.peer))
        return Response(
            status: .ok,
            headers: ["Content-Type": "text/event-stream", "X-Accel-Buffering": "no"],
            body: .steps(stream))
    }

    func live() async throws(Problem) -> Response {
        guard context.request.isWebSocketUpgrade else {
            throw Problem(.badRequest, "Open a WebSocket here.")
        }
        let principal = try context.requirePrincipal()
        let presence = Presence(context, of: principal)
        let socket = try LiveSocket(
            context: context, feed: feed(principal), gone: { presence.end() }
        ) { await presence.hear($0) }
        try await presence.begin()
        return socket.response()
    }

    private func feed(_ principal: Principal) -> Feed {
        .business(principal, in: context.businesses, services.authorNames)
    }
}
