import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

extension RouteTable {
    /// Adds the events that were sent to a link's other system, and those still waiting.
    mutating func addDeliveries(_ path: String, limits: APILimits) {
        add(
            .get, path + "/deliveries", operation: "listDeliveries", permission: .readGateway,
            business: .path,
            query: .known(
                ["filter[side]", "filter[state]"] + PageParameters.names,
                older: ["side": "filter[side]", "state": "filter[state]"])
        ) {
            context async throws(Problem) in try await DeliveryRoutes(context).list()
        }
        add(
            .post, path + "/deliveries/retry", operation: "retryDeliveries",
            permission: .manageGateway, business: .path,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await DeliveryRoutes(context).retry() }
        add(
            .post, path + "/deliveries/retry-now", operation: "retryDeliveriesNow",
            permission: .manageGateway, business: .path,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await DeliveryRoutes(context).retryNow() }
    }
}

/// Answers the routes of `addDeliveries`.
struct DeliveryRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let query = context.request.query
        let side = try query.word("filter[side]", GatewaySide.self) ?? .provider
        let state = try query.word("filter[state]", Delivery.State.self) ?? .pending
        let link = try await context.requireLink(side)
        let page = try PageQuery(query, limits: services.limits.web)
        let size = page.size
        let (found, events) = try await services.asking { store throws(StoreError) in
            let found = try await store.deliveries(
                of: link.outbox, in: state, at: page.edge, limit: size)
            var events: [Position: Event] = [:]
            for delivery in found {
                let place = delivery.position
                let near = try await store.events(
                    after: Position(place.value - 1), in: .businesses([link.business]), limit: 1)
                if let event = near.events.first, event.id.position == place {
                    events[place] = event
                }
            }
            return (found, events)
        }
        return .json(
            JSONWriter.object { text in
                text.member("data") { text in
                    text.array { text in
                        for delivery in found { text.delivery(delivery, events[delivery.position]) }
                    }
                }
                // A full page may be the last one; the next is then empty.
                text.page(
                    page.edge, hasMore: found.count == size,
                    first: found.first.map { String($0.position.value) },
                    last: found.last.map { String($0.position.value) })
            })
    }

    func retry() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let most = 999_999_999_999_999
        let from = fields.number("from", 0...most) ?? 0
        let to = fields.number("to", 0...most) ?? most
        let side = fields.word("side", GatewaySide.self)
        if from > to { fields.note("to", "\(from) or more", "Give the first position as from.") }
        try fields.finish()
        let range = Position(Int64(from))...Position(Int64(to))
        let author = try context.requirePrincipal().author
        var all = 0
        for link in try await links(side) {
            let count: Int
            do {
                if let outbox = services.links.outbox(of: link.id) {
                    count = try await outbox.retry(range, author: author)
                } else {
                    count = try await services.store.requeue(
                        range, of: link.outbox, due: services.time.now(), author: author)
                }
            } catch {
                throw services.problem(error)
            }
            context.log.info(
                "deliveries_retried", ["link": .text(link.id.text), "count": .number(count)])
            all += count
        }
        return .json(JSONWriter.object { $0.member("retried", all) })
    }

    /// The link of a side, or all that the business has; there is one.
    private func links(_ side: GatewaySide?) async throws(Problem) -> [GatewayLink] {
        if let side { return [try await context.requireLink(side)] }
        let business = try await context.requireBusiness()
        let found = GatewaySide.allCases.compactMap { services.links.find($0, of: business.id) }
        guard !found.isEmpty else { throw .notFound }
        return found
    }

    func retryNow() async throws(Problem) -> Response {
        var fields = try Fields(try await context.jsonBytes())
        let side = fields.word("side", GatewaySide.self)
        try fields.finish()
        let author = try context.requirePrincipal().author
        for link in try await links(side) {
            do {
                // Where none runs nothing waits for a moment: it is due when one begins.
                try await services.links.outbox(of: link.id)?.retryNow(author: author)
            } catch {
                throw services.problem(error)
            }
        }
        return Response(status: .noContent)
    }
}

extension Services {
    /// How many deliveries of each state the links have.
    func deliveryCounts(
        of links: [GatewayLink?]
    ) async throws(Problem) -> [GatewayLinkID: [Delivery.State: Int]] {
        try await asking { store throws(StoreError) in
            var counts: [GatewayLinkID: [Delivery.State: Int]] = [:]
            for case let link? in links {
                counts[link.id] = try await store.countDeliveries(of: link.outbox)
            }
            return counts
        }
    }
}
