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
            query: .known(["q", "in", "business"] + PageParameters.names), rate: .search
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
        case all, customers, notes
    }

    func search() async throws(Problem) -> Response {
        let subject = try context.request.query.word("in", Subject.self) ?? .all
        if subject == .customers { return try await searchCustomers() }
        guard let index = services.search else {
            throw Problem(.unavailable, "This server keeps no search.")
        }
        if subject == .notes { return try await searchNotes(in: index) }
        let page = try PageQuery(context.request.query, limits: services.limits.web)
        let query = try query()
        let businesses = context.businesses
        let found: SearchPage
        let isFirst = page.edge.place == nil
        // As names, they go before all messages.
        var notes: NotePage?
        do {
            found = try await index.search(
                query, in: businesses, at: page.edge, limit: page.size)
            if isFirst {
                notes = try await index.searchNotes(
                    query, in: businesses, at: .start, limit: min(page.size, Self.firstNotes))
            }
        } catch {
            throw services.problem(error)
        }
        let authorNames = services.authorNames
        let authors =
            found.hits.map(\.message.facts.author)
            + (notes?.hits.map(\.note.note.author) ?? [])
        let named = try await services.asking { store throws(StoreError) in
            try await authorNames.load(authors)
            // Names go before all messages, so that later pages have messages only.
            guard isFirst else { return [Conversation]() }
            let named = try await store.findConversations(
                named: query, in: businesses, limit: page.size)
            try await authorNames.load(named)
            return named
        }
        let nonAutomatic = try await NonAutomaticMessages(of: named, services)
        return .json(text(of: found, named, nonAutomatic, notes))
    }

    /// Notes on the first page of everything.
    private static let firstNotes = 20

    /// Looks for notes alone.
    private func searchNotes(in index: any SearchIndex) async throws(Problem) -> Response {
        let page = try PageQuery(context.request.query, limits: services.limits.web)
        let query = try query()
        let found: NotePage
        do {
            found = try await index.searchNotes(
                query, in: context.businesses, at: page.edge, limit: page.size)
        } catch {
            throw services.problem(error)
        }
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in
            try await authorNames.load(found.hits.map(\.note.note.author))
        }
        let none = SearchPage([], at: .start, rest: nil, indexed: index.indexed)
        return .json(text(of: none, [], nil, found, isOfNotes: true))
    }

    /// Looks for names alone: they are in the store's own rows, which never lag.
    private func searchCustomers() async throws(Problem) -> Response {
        let page = try PageQuery(context.request.query, limits: services.limits.web)
        guard page.edge.place == nil else {
            throw Problem(
                parameter: page.edge.isBackward ? "page[before]" : "page[after]",
                in: context.request.query, allowed: "no other page together with in=customers",
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
        let nonAutomatic = try await NonAutomaticMessages(of: named, services)
        return .json(
            text(
                of: SearchPage([], at: .start, rest: nil, indexed: services.store.newest), named,
                nonAutomatic, nil))
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

    private func text(
        of page: SearchPage, _ named: [Conversation], _ nonAutomatic: NonAutomaticMessages?,
        _ notes: NotePage?, isOfNotes: Bool = false
    ) -> [UInt8] {
        let next = isOfNotes ? notes?.next : page.next
        let previous = isOfNotes ? notes?.previous : page.previous
        let authorNames = services.authorNames
        let epoch = services.store.epoch
        let head = services.store.newest
        return JSONWriter.object(capacity: 8_192) { text in
            text.member("data") { text in
                text.array { text in
                    for hit in page.hits { text.searchHit(hit, authorNames) }
                }
            }
            text.member("notes") { text in
                text.array { text in
                    for hit in notes?.hits ?? [] { text.noteHit(hit, authorNames) }
                }
            }
            text.member("conversations") { text in
                text.array { text in
                    for conversation in named {
                        text.conversation(conversation, authorNames) {
                            nonAutomatic?.write(conversation.id, to: &$0, authorNames)
                        }
                    }
                }
            }
            text.member("hasMore", next != nil)
            text.member("next", next.map { String($0.value) })
            text.member("previous", previous.map { String($0.value) })
            if !isOfNotes { text.member("notesNext", notes?.next.map { String($0.value) }) }
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
            $0.member("snippet") { $0.snippet(hit.snippet) }
        }
    }

    /// Writes a note that a search found.
    fileprivate mutating func noteHit(_ hit: NoteHit, _ authorNames: AuthorNames) {
        let note = hit.note.note
        object {
            $0.member("conversation", hit.note.conversation.text)
            $0.member("business", hit.note.business.text)
            $0.member("note", note.id.text)
            $0.member("afterSequence", Int(note.afterSequence.value))
            $0.member("author") { $0.author(note.author, authorNames) }
            $0.member("time", note.time)
            $0.member("snippet") { $0.snippet(hit.snippet) }
        }
    }

    private mutating func snippet(_ snippet: SearchSnippet) {
        object { text in
            text.member("text", snippet.text)
            text.member("marks") { text in
                text.array { text in
                    for mark in snippet.marks {
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
