import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers `GET /api/events` with a page of JSON: the stored events after a cursor, for programs that
/// cannot hold a stream open.
struct EventPageReading {
    /// Events that are read from the log at a time.
    private static let readAtOnce = 300

    private let context: RequestContext
    private let filter: EventFilter
    private var services: Services { context.services }
    private var query: Query { context.request.query }

    init(_ context: RequestContext, _ filter: EventFilter) {
        self.context = context
        self.filter = filter
    }

    /// The page; it looks through a bounded part of the log, and `next` leads on.
    func response() async throws(Problem) -> Response {
        let limits = services.limits
        let size = try query.pageSize(
            "limit", usual: limits.web.pageSize, most: limits.web.pageSizeMost)
        let start = try await start()
        let page = try await read(after: start, size: size)
        let epoch = services.store.epoch
        let head = services.broker.head
        let text = JSONWriter.object(capacity: 16_384) { text in
            text.member("data") { text in
                text.array { text in for event in page.events { text.raw(event) } }
            }
            text.member("hasMore", page.hasMore)
            text.member("next", EventID(epoch: epoch, position: page.end).text)
            text.member("head", head.text)
        }
        var response = Response.json(text)
        response.headers.set("Vary", "Accept")
        return response
    }

    /// The position after which the page begins: that of the cursor, or before the oldest event kept.
    private func start() async throws(Problem) -> Position {
        guard let text = query["after"] else { return services.store.oldest }
        guard let cursor = EventID(text) else { throw Self.noCursor(query) }
        let store = services.store
        guard cursor.epoch == store.epoch else {
            throw Problem(
                .cursorGone,
                "The cursor \(cursor) is of another epoch than \(store.epoch), that of this log. "
                    + "Begin again: leave after out, or go on from the head of a list.")
        }
        guard cursor.position >= store.oldest else {
            throw Problem(
                .cursorGone,
                "Events after the cursor \(cursor) were deleted: the oldest cursor is "
                    + "\(EventID(epoch: store.epoch, position: store.oldest)). Begin again: leave "
                    + "after out, or go on from the head of a list.")
        }
        // Another process may have answered with a cursor that this one has not reached yet.
        let isReached = try await services.asking { store throws(StoreError) in
            try await store.reach(cursor.position, within: .seconds(2))
        }
        guard isReached else {
            throw Problem(
                .cursorGone,
                "No event has the position of the cursor \(cursor). Begin again: leave after out, "
                    + "or go on from the head of a list.")
        }
        return cursor.position
    }

    /// The refusal of a cursor that is none.
    static func noCursor(_ query: Query) -> Problem {
        Problem(
            parameter: "after", in: query,
            allowed: "the id of an event, the next of a page, or the head of a list or page",
            fix: "Send one of these, or leave after out to begin with the oldest event.")
    }

    private struct Page {
        var events: [[UInt8]] = []
        var end: Position
        var hasMore = false
    }

    private func read(after start: Position, size: Int) async throws(Problem) -> Page {
        let limits = services.limits
        var page = Page(end: start)
        var bytes = 0
        var left = limits.eventsLookedThrough
        while true {
            let limit = min(left, Self.readAtOnce)
            let (after, businesses) = (page.end, context.businesses)
            let found = try await services.asking { store throws(StoreError) in
                try await store.events(after: after, in: .businesses(businesses), limit: limit)
            }
            for event in found.events {
                guard filter.includes(event) else {
                    page.end = event.id.position
                    continue
                }
                // One that does not fit in the page is the first of the next.
                guard page.events.count < size, bytes < limits.eventPageBytes else {
                    page.hasMore = true
                    return page
                }
                let text = try await text(of: event)
                bytes += text.count
                page.events.append(text)
                page.end = event.id.position
            }
            page.end = found.end
            guard found.events.count == limit else { return page }
            left -= limit
            guard left > 0 else {
                page.hasMore = true
                return page
            }
        }
    }

    private func text(of event: Event) async throws(Problem) -> [UInt8] {
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in try await authorNames.load(event) }
        return EventText.business(event, authorNames)
    }
}
