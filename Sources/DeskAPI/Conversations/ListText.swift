import DeskBroker
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
                    query, in: businesses, before: nil, limit: Self.mostFound)
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

extension Services {
    /// The filter of the store for a list, with the conversations that have its words.
    func filter(
        _ view: ViewFilter, in businesses: Set<BusinessID>, for caller: AgentID?
    ) async throws(Problem) -> (filter: ConversationFilter, isMore: Bool)? {
        guard var filter = view.listed(in: businesses, for: caller) else { return nil }
        guard let text = view.text, let query = try? SearchQuery(text) else {
            return (filter, false)
        }
        let worded = try await WordedConversations(with: query, in: businesses, self)
        filter.among = worded.conversations
        return (filter, worded.isMore)
    }
}
