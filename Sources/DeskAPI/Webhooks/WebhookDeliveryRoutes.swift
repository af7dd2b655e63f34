import DeskDelivery
import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes of an endpoint's deliveries.
struct WebhookDeliveryRoutes {
    /// Elements of a page when the caller names no number.
    static let pageSize = 50
    /// Most elements of a page.
    static let pageSizeMost = 100
    /// Pages of 300 events that one request to replay looks at.
    static let replayedPages = 10

    /// What is replayed of a range.
    private enum Replayed: String, CaseIterable {
        case delivered, dead, missing
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let webhook = try await context.requireWebhook()
        let query = context.request.query
        let state = try query.word("filter[state]", Delivery.State.self) ?? .pending
        let page = try PageQuery(query, usual: Self.pageSize, most: Self.pageSizeMost)
        let (found, events) = try await services.asking { store throws(StoreError) in
            let found = try await store.deliveries(
                of: webhook.outbox, in: state, at: page.edge, limit: page.size)
            var events: [Position: Event] = [:]
            for delivery in found {
                let near = try await store.events(
                    after: Position(max(0, delivery.position.value - 1)),
                    in: .businesses([webhook.business]), limit: 1)
                if let event = near.events.first, event.id.position == delivery.position {
                    events[delivery.position] = event
                }
            }
            return (found, events)
        }
        let fields = services.webhooks?.fields ?? []
        return .json(
            JSONWriter.object { text in
                text.member("data") { text in
                    text.array { text in
                        for delivery in found {
                            text.webhookDelivery(
                                delivery, events[delivery.position], of: webhook, fields)
                        }
                    }
                }
                // A full page may be the last one; the next is then empty.
                text.page(
                    page.edge, hasMore: found.count == page.size,
                    first: found.first.map { String($0.position.value) },
                    last: found.last.map { String($0.position.value) })
            })
    }

    func replay() async throws(Problem) -> Response {
        let webhook = try await context.requireWebhook()
        var fields = try Fields(try await context.jsonBytes())
        let most = 999_999_999_999_999
        let since = Self.since(&fields)
        let first = fields.number("from", 0...most)
        if fields.isAbsent("from"), fields.isAbsent("since") {
            fields.noteMissing(
                found: "no from and no since", allowed: "the member from, since or both",
                fix: "Add from, the first position, or since, a moment.")
        }
        let to = fields.number("to", 0...most) ?? most
        if let first, first > to {
            fields.note("to", "\(first) or more", "Give the first position as from.")
        }
        let states = fields.words("states", Replayed.self)
        try fields.finish()
        let author = try context.requirePrincipal().author
        let asked = states ?? Set(Replayed.allCases)
        let (noted, next) = try await services.asking { store throws(StoreError) in
            var from = first ?? 0
            if let since {
                let position = try await EventSearch(in: store).position(of: since)
                from = max(from, Int(position.value))
            }
            return try await replay(
                webhook, from: from, to: to, since: since, asked, in: store, by: author)
        }
        context.log.info(
            "webhook_replayed", ["webhook": .text(webhook.id.text), "count": .number(noted)])
        return .json(
            JSONWriter.object { text in
                text.member("noted", noted)
                text.member("next") { text in
                    if let next { text.number(Int(next)) } else { text.null() }
                }
            })
    }

    /// From which moment on events are replayed; nil for all of the positions.
    private static func since(_ fields: inout Fields) -> Timestamp? {
        guard let text = fields.text("since", bytes: 1...64) else { return nil }
        let time = Timestamp(text)
        if time == nil {
            fields.note("since", "a moment of RFC 3339", "Write it as 2026-01-31T09:00:00Z.")
        }
        return time
    }

    /// Replays up to ten pages, and says where the next request begins.
    private func replay(
        _ webhook: Webhook, from: Int, to: Int, since: Timestamp?, _ asked: Set<Replayed>,
        in store: any Store, by author: Author
    ) async throws(StoreError) -> (noted: Int, next: Int64?) {
        var noted = 0
        var after = Position(max(Int64(from) - 1, store.oldest.value))
        let end = min(Int64(to), store.newest.value)
        for _ in 0..<Self.replayedPages {
            guard after.value < end else { return (noted, nil) }
            let page = try await store.events(
                after: after, in: .businesses([webhook.business]), limit: 300)
            guard page.end > after else { return (noted, nil) }
            let wanted = page.events.filter { event in
                event.id.position.value <= end && webhook.matches(event)
                    && since.map { event.time >= $0 } ?? true
            }
            let known = try await store.deliveries(
                of: webhook.outbox, at: wanted.map(\.id.position))
            let states = Dictionary(known.map { ($0.position, $0.state) }) { $1 }
            let due = services.time.now()
            let chosen = wanted.filter { event in
                switch states[event.id.position] {
                case .pending: false
                case .delivered: asked.contains(.delivered)
                case .dead: asked.contains(.dead)
                case nil: asked.contains(.missing)
                }
            }
            noted += try await store.replay(
                chosen.map { webhook.delivery(of: $0, due: due) }, of: webhook.outbox,
                author: author)
            after = page.end
        }
        return (noted, after.value < end ? after.value + 1 : nil)
    }
}
