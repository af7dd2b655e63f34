public import DeskModel
public import DeskStore

extension SQLLog {
    /// Lists conversations by their newest event, newest first; a damaged row is left out.
    public func conversations(
        _ filter: ConversationFilter, at edge: PageEdge<Position>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        let limit = min(max(limit, 1), 300)
        // The order of a list is in the rows.
        try await flushRows()
        let damaged = damaged
        let place = edge.place?.value
        var filter = filter
        if edge.isBackward { filter.order = filter.order == .oldest ? .newest : .oldest }
        let wanted = filter
        return try await readRegistry { sql throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            let among = try ConversationRows.numbers(of: wanted.among, on: sql)
            for business in wanted.businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                guard NarrowQuery.serves(wanted) else {
                    let statement = try ListQuery.page(
                        of: wanted, in: number, before: place ?? Int64.max, limit: limit + 1,
                        on: sql)
                    found += try ConversationRows.listed(
                        statement, counting: &read, damaged: damaged)
                    continue
                }
                for query in NarrowQuery.all(
                    of: wanted, among: among, in: number, from: place, limit: limit + 1,
                    in: sql.dialect)
                {
                    found += try ConversationRows.listed(
                        query.statement(on: sql), counting: &read, damaged: damaged)
                }
            }
            let isRising = wanted.order == .oldest
            found.sort { ($0.activity < $1.activity) == isRising }
            return edge.page(found, limit: limit, read: read)
        }
    }

    /// Lists the open conversations of a list whose customers wait, the longest waiter first.
    public func waitingConversations(
        _ filter: ConversationFilter, at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        guard filter.states?.contains(.open) ?? true else {
            return Page(elements: [], hasMore: false)
        }
        let limit = min(max(limit, 1), 300)
        try await flushRows()
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            let among = try ConversationRows.numbers(of: filter.among, on: sql)
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                let statement = try WaitingRows.page(
                    of: filter, among: among, in: number, at: edge, limit: limit + 1, on: sql)
                found += try ConversationRows.listed(statement, counting: &read, damaged: damaged)
            }
            found.sort { WaitingRows.isBefore($0, $1) != edge.isBackward }
            return edge.page(found, limit: limit, read: read)
        }
    }

    /// Lists the conversations whose answers are due by moments of their businesses, the earliest first.
    public func dueConversations(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp],
        at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        let limit = min(max(limit, 1), 300)
        // The due times are in the rows.
        try await flushRows()
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            let among = try ConversationRows.numbers(of: filter.among, on: sql)
            for (business, end) in ends where filter.businesses.contains(business) {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                let statement = try DueRows.statement(
                    filter, among: among, in: number, until: end, at: edge, limit: limit + 1,
                    isCounted: false, on: sql)
                found += try ConversationRows.listed(statement, counting: &read, damaged: damaged)
            }
            found.sort { DueRows.isBefore($0, $1) != edge.isBackward }
            return edge.page(found, limit: limit, read: read)
        }
    }

    /// Finds conversations of some businesses by their customers' names.
    public func findConversations(
        named query: SearchQuery, in businesses: Set<BusinessID>, limit: Int
    ) async throws(StoreError) -> [Conversation] {
        let unflushed = unflushedRows()
        return try await readRegistry { sql throws(StoreError) in
            var found: [Conversation] = []
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                found += try CustomerWords.find(query, in: number, on: sql)
                    .map { (unflushed[$0.conversation.id] ?? $0).conversation }
                    // The words may be in another order, or be parts of longer ones.
                    .filter { SearchedNames(of: $0).have(query) }
            }
            found.sort { $0.activity > $1.activity }
            return Array(found.prefix(min(max(limit, 1), 300)))
        }
    }

    /// Finds the newest messages of some conversations that neither the server nor a rule sent.
    public func lastNonAutomatic(
        of conversations: [Conversation]
    ) async throws(StoreError) -> [ConversationID: LastMessage] {
        guard let first = conversations.first else { return [:] }
        let unflushed = conversations.count == 1 ? unflushedRow(of: first.id) : unflushedRows()
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            try NonAutomaticRows.find(
                of: conversations, ahead: unflushed, damaged: damaged, on: sql)
        }
    }

    /// Conversations that are assigned to a person who has none of the roles that handle conversations in
    /// their business, at most 300.
    ///
    /// From the kept numbers of lists, so that it costs as little as there are agents.
    public func abandoned(handling: Set<Role>) async throws(StoreError) -> [ConversationID] {
        try await readRegistry { sql throws(StoreError) in
            let join = sql.dialect.orderedJoin
            let names = handling.map(\.name).sorted()
            let isHandling = (["FALSE"] + names.map { _ in "m.role = ?" })
                .joined(separator: " OR ")
            let statement = try sql.statement(
                """
                SELECT c.id FROM conversation_counts n \(join) businesses b \
                ON b.number = n.business \(join) conversations c \
                ON c.business = n.business AND c.assignee = n.assignee AND c.state = n.state \
                WHERE n.held > 0 AND length(n.assignee) > 0 AND NOT EXISTS (SELECT 1 \
                FROM memberships m WHERE m.agent = n.assignee AND m.business = b.id \
                AND (\(isHandling))) LIMIT 300
                """)
            for name in names { try statement.bind(name) }
            return try statement.all { row throws(StoreError) in ConversationID(try row.id()) }
        }
    }
}
