import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb

/// Answers the route of the wire log.
struct ExchangeRoutes {
    /// Elements of a page when the caller names no number.
    static let pageSize = 20
    /// Most elements of a page; each may carry two bodies of 64 KiB.
    static let pageSizeMost = 50

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try await context.requireBusiness()
        let query = context.request.query
        let size = try query.pageSize(usual: Self.pageSize, most: Self.pageSizeMost)
        let edge = try query.pageEdge { DecimalText.number($0).map(Int64.init) }
        let scope = try scope(query)
        let found = try await services.asking { store throws(StoreError) in
            try await store.exchanges(of: business.id, in: scope, at: edge, limit: size)
        }
        let sides = Dictionary(
            services.links.all.map { ($0.id, $0.side) }, uniquingKeysWith: { $1 })
        let origin = services.publicURL.origin
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("data") { text in
                    text.array { text in
                        for one in found.elements {
                            text.exchange(one, sides[one.link], origin: origin)
                        }
                    }
                }
                text.page(
                    edge, hasMore: found.hasMore,
                    first: found.elements.first.map { String($0.number) },
                    last: found.elements.last.map { String($0.number) })
            })
    }

    private func scope(_ query: Query) throws(Problem) -> WireScope {
        let conversation = try query["filter[conversation]"].map { text throws(Problem) in
            guard let id = ConversationID(text) else {
                throw Problem(
                    parameter: "filter[conversation]", in: query,
                    allowed: "the id of a conversation")
            }
            return id
        }
        guard let text = query["filter[message]"] else {
            return conversation.map { .conversation($0) } ?? .everything
        }
        guard let message = MessageID(text), let conversation else {
            throw Problem(
                parameter: "filter[message]", in: query,
                allowed: "the id of a message, with filter[conversation] beside it")
        }
        return .message(message, in: conversation)
    }
}
