import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// The conversations with some words: in the names of customers and contacts, and in messages.
struct WordedConversations {
    /// Most customers by their names, and most messages, newest first, that are looked at.
    static let mostFound = 300

    /// Those that were found.
    let conversations: Set<ConversationID>
    /// Whether there may be others.
    let isMore: Bool

    /// Looks for them in some businesses.
    init(
        with query: SearchQuery, in businesses: Set<BusinessID>, _ services: Services
    ) async throws(Problem) {
        let named = try await services.asking { store throws(StoreError) in
            try await store.findConversations(named: query, in: businesses, limit: Self.mostFound)
        }
        var found = Set(named.map(\.id))
        var isMore = named.count == Self.mostFound
        if let index = services.search {
            do {
                let page = try await index.search(
                    query, in: businesses, at: .start, limit: Self.mostFound)
                found.formUnion(page.hits.lazy.map(\.message.conversation))
                isMore = isMore || page.next != nil
            } catch {
                throw services.problem(error)
            }
        }
        conversations = found
        self.isMore = isMore
    }
}

extension RequestContext {
    /// The filter of the store for a list, with the conversations that have its words; nil where the caller
    /// is none whom it could be about.
    ///
    /// Limit: a list with words counts as a search.
    /// - Throws: `rateLimited` when the caller has searched too much.
    func filter(
        _ view: ViewFilter, in businesses: Set<BusinessID>
    ) async throws(Problem) -> (filter: ConversationFilter, isMore: Bool)? {
        guard var filter = view.listed(in: businesses, for: signedIn) else { return nil }
        if view.lookup.isOfPerson {
            filter.among = try await services.conversations(of: view.lookup, in: businesses)
        }
        if let time = view.lookup.updatedAfter {
            filter.updatedAfter = try await services.asking { store throws(StoreError) in
                try await EventSearch(in: store).position(after: time)
            }
        }
        guard let text = view.text, let query = try? SearchQuery(text) else {
            return (filter, false)
        }
        try countSearch()
        let worded = try await WordedConversations(with: query, in: businesses, services)
        filter.among =
            filter.among.map { $0.intersection(worded.conversations) } ?? worded.conversations
        return (filter, worded.isMore)
    }

    private func countSearch() throws(Problem) {
        let rate = services.rates.take(
            1, from: .search(RateSubject(principal, peer: request.peer)))
        guard rate.isRefused else { return }
        var problem = Problem(
            .rateLimited,
            "A list with words counts as a search, and \(rate.burst) may be made at once. "
                + "Ask for it again in \(rate.waitSeconds) s.")
        problem.retryAfterSeconds = rate.waitSeconds
        throw problem
    }
}
