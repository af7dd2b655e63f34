import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the search.
    public mutating func addSearch() {
        add(
            .get, "/api/search", operation: "searchMessages", permission: .readConversations,
            business: .query,
            query: .known(["q", "in", "business", "page[after]", "page[size]"]), rate: .search
        ) {
            context async throws(Problem) in try await SearchRoutes(context).search()
        }
    }
}

/// Answers the route of `addSearch`.
struct SearchRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    private enum Subject: String, CaseIterable {
        case all, customers
    }

    func search() async throws(Problem) -> Response {
        if try context.request.query.word("in", Subject.self) == .customers {
            return try await searchCustomers()
        }
        guard let index = services.search else {
            throw Problem(.unavailable, "This server keeps no search.")
        }
        let page = try PageQuery(context.request.query, limits: services.limits.web)
        let query = try query()
        let businesses = context.businesses
        let found: SearchPage
        do {
            found = try await index.search(
                query, in: businesses, before: page.edge.place, limit: page.size)
        } catch {
            throw services.problem(error)
        }
        let authorNames = services.authorNames
        let isFirst = page.edge.place == nil
        let named = try await services.asking { store throws(StoreError) in
            try await authorNames.load(found.hits.map(\.message.facts.author))
            // Names go before all messages, so that later pages have messages only.
            guard isFirst else { return [Conversation]() }
            let named = try await store.findConversations(
                named: query, in: businesses, limit: page.size)
            try await authorNames.load(named)
            return named
        }
        return .json(text(of: found, named))
    }

    /// Looks for names alone: they are in the store's own rows, which never lag.
    private func searchCustomers() async throws(Problem) -> Response {
        let page = try PageQuery(context.request.query, limits: services.limits.web)
        guard page.edge.place == nil else {
            throw Problem(
                parameter: "page[after]", in: context.request.query,
                allowed: "no page[after] together with in=customers",
                fix: "Send a longer word: customers are found on one page.")
        }
        let query = try query()
        let businesses = context.businesses
        let authorNames = services.authorNames
        let named = try await services.asking { store throws(StoreError) in
            let named = try await store.findConversations(
                named: query, in: businesses, limit: page.size)
            try await authorNames.load(named)
            return named
        }
        return .json(
            text(of: SearchPage(hits: [], next: nil, indexed: services.store.newest), named))
    }

    /// What the parameter `q` looks for.
    func query() throws(Problem) -> SearchQuery {
        do throws(SearchQuery.Fault) {
            return try SearchQuery(context.request.query["q"] ?? "")
        } catch {
            switch error {
            case .empty:
                throw Problem(
                    parameter: "q", in: context.request.query, allowed: "letters or digits",
                    fix: "Send a word to look for.")
            case .tooLong:
                throw Problem(
                    parameter: "q", in: context.request.query,
                    allowed: "at most \(SearchQuery.maximumBytes) bytes and "
                        + "\(SearchQuery.maximumTerms) words",
                    fix: "Send fewer words.")
            }
        }
    }

    private func text(of page: SearchPage, _ named: [Conversation]) -> [UInt8] {
        let authorNames = services.authorNames
        let epoch = services.store.epoch
        let head = services.store.newest
        return JSONWriter.object(capacity: 8_192) { text in
            text.member("data") { text in
                text.array { text in
                    for hit in page.hits { text.searchHit(hit, authorNames) }
                }
            }
            text.member("conversations") { text in
                text.array { text in
                    for conversation in named { text.conversation(conversation, authorNames) }
                }
            }
            text.member("hasMore", page.next != nil)
            text.member("next", page.next.map { String($0.value) })
            text.member("index") {
                $0.object {
                    $0.member("upTo", EventID(epoch: epoch, position: page.indexed).text)
                    $0.member("head", EventID(epoch: epoch, position: head).text)
                    $0.member("behind", max(0, Int(head.value - page.indexed.value)))
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a message that a search found.
    mutating func searchHit(_ hit: SearchHit, _ authorNames: AuthorNames) {
        let message = hit.message
        object {
            $0.member("conversation", message.conversation.text)
            $0.member("business", message.business.text)
            $0.member("message", message.id.text)
            $0.member("sequence", Int(message.sequence.value))
            $0.member("direction", message.facts.direction.rawValue)
            $0.member("kind", message.facts.kind.rawValue)
            $0.member("author") { $0.author(message.facts.author, authorNames) }
            $0.member("time", message.time)
            $0.member("snippet") { text in
                text.object { text in
                    text.member("text", hit.snippet.text)
                    text.member("marks") { text in
                        text.array { text in
                            for mark in hit.snippet.marks {
                                text.object {
                                    $0.member("start", mark.lowerBound)
                                    $0.member("end", mark.upperBound)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
