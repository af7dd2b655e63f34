import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the events of integrations, as a stream and in pages, and the WebSocket of pages.
    public mutating func addStreams() {
        add(
            .get, "/api/events", operation: "streamEvents", permission: .followEvents,
            business: .query,
            query: .known(["business", "after", "limit"] + EventFilter.names)
        ) {
            context async throws(Problem) in try await StreamRoutes(context).events()
        }
        add(
            .get, "/api/live", operation: "openLive", permission: .followLive, business: .query,
            query: .known(["business"] + EventFilter.names)
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

    /// The stream, or one page for those who ask for JSON by name.
    func events() async throws(Problem) -> Response {
        let headers = context.request.headers
        let isPage =
            AcceptedType.isNamed("application/json", by: headers)
            && !AcceptedType.isNamed("text/event-stream", by: headers)
        let filter = try await filter(takesSignals: !isPage)
        if isPage { return try await EventPageReading(context, filter).response() }
        guard context.request.query["limit"] == nil else {
            throw Problem(
                parameter: "limit", in: context.request.query,
                allowed: "no limit of a stream, which has no end",
                fix: "Send Accept: application/json for a page, or leave limit out.")
        }
        let principal = try context.requirePrincipal()
        let stream = EventStream(
            services: services, feed: feed(principal, filter), watch: context.watch,
            cursor: try cursor(),
            lease: try services.streams.acquire(principal, context.request.peer))
        return Response(
            status: .ok,
            headers: [
                "Content-Type": "text/event-stream", "X-Accel-Buffering": "no", "Vary": "Accept",
            ],
            body: .steps(stream))
    }

    /// Where a stream begins: a browser that comes back repeats its address and names its last event.
    private func cursor() throws(Problem) -> EventID? {
        if let last = context.request.headers.first("last-event-id") { return Feed.cursor(last) }
        guard let text = context.request.query["after"] else { return nil }
        guard let cursor = EventID(text) else {
            throw EventPageReading.noCursor(context.request.query)
        }
        return cursor
    }

    func live() async throws(Problem) -> Response {
        guard context.request.isWebSocketUpgrade else {
            throw Problem(.badRequest, "Open a WebSocket here.")
        }
        let principal = try context.requirePrincipal()
        let filter = try await filter(takesSignals: true)
        let presence = Presence(context, of: principal)
        let socket = try LiveSocket(
            context: context, feed: feed(principal, filter), gone: { presence.end() }
        ) { await presence.hear($0) }
        try await presence.begin()
        return socket.response()
    }

    private func feed(_ principal: Principal, _ filter: EventFilter) -> Feed {
        var feed = Feed.business(principal, in: context.businesses, services.authorNames)
        feed.filter = filter
        return feed
    }

    private func filter(takesSignals: Bool) async throws(Problem) -> EventFilter {
        let query = context.request.query
        let filter = try EventFilter(query, takesSignals: takesSignals)
        if let id = filter.conversation {
            let found = try await services.findConversation(id)
            guard let found, context.businesses.contains(found.business) else {
                throw EventFilter.unknownConversation(query)
            }
        }
        return filter
    }
}
