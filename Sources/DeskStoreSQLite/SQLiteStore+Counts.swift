public import DeskModel
import DeskSQL
public import DeskStore

extension SQLiteStore {
    /// Counts what the lists of a filter's businesses and states have.
    public func countConversations(
        _ filter: ConversationFilter, mineOf agent: AgentID?
    ) async throws(StoreError) -> ConversationCounts {
        try await read { connection throws(StoreError) in
            var counts = ConversationCounts()
            for business in filter.businesses {
                let statement = try connection.statement(ListQuery.counts)
                try statement.bind(business.value)
                try statement.bind(ListQuery.states(of: filter))
                try statement.bind(agent?.value)
                _ = try statement.first { row in
                    counts.all += Int(row.integer())
                    counts.unassigned += Int(row.integer())
                    counts.mine += Int(row.integer())
                }
            }
            return counts
        }
    }

    /// Counts what a list has, one by one, up to a number.
    public func countListed(
        _ filter: ConversationFilter, isWaiting: Bool
    ) async throws(StoreError) -> BoundedCount {
        let most = SavedView.mostCounted
        guard !isWaiting || filter.states?.contains(.open) ?? true else {
            return BoundedCount(0, atMost: most)
        }
        try await flushRows()
        return try await read { connection throws(StoreError) in
            var count = 0
            let among = try Self.numbers(of: filter.among, on: connection)
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                let limit = most + 1 - count
                if isWaiting {
                    let statement = try WaitingRows.page(
                        of: filter, among: among, in: number, after: nil, limit: limit,
                        isCounted: true, on: connection)
                    count += Int(try statement.first { $0.integer() } ?? 0)
                    continue
                }
                for query in NarrowQuery.all(
                    of: filter, among: among, in: number, from: nil, limit: limit)
                where count <= most {
                    let statement = try query.counting(on: connection)
                    count += Int(try statement.first { $0.integer() } ?? 0)
                }
            }
            return BoundedCount(count, atMost: most)
        }
    }

    /// Counts the open conversations of a list whose customers wait.
    public func waitingConversations(
        _ filter: ConversationFilter
    ) async throws(StoreError) -> WaitingConversations {
        guard filter.states?.contains(.open) ?? true else { return WaitingConversations() }
        // The time since which a customer waits is in the rows.
        try await flushRows()
        return try await read { connection throws(StoreError) in
            var found = WaitingConversations()
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                try WaitingRows.add(filter, of: number, to: &found, on: connection)
            }
            return found
        }
    }

    /// Lists the open conversations of a list whose customers wait, the longest waiter first.
    public func waitingConversations(
        _ filter: ConversationFilter, after place: WaitingPlace?, limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        guard filter.states?.contains(.open) ?? true else {
            return Page(elements: [], hasMore: false)
        }
        let limit = min(max(limit, 1), 300)
        try await flushRows()
        let damaged = damaged
        return try await read { connection throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            let among = try Self.numbers(of: filter.among, on: connection)
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                let statement = try WaitingRows.page(
                    of: filter, among: among, in: number, after: place, limit: limit + 1,
                    on: connection)
                found += try Self.readListed(statement, counting: &read, damaged: damaged)
            }
            found.sort { WaitingRows.isBefore($0, $1) }
            return Page(elements: Array(found.prefix(limit)), hasMore: read > limit)
        }
    }

    /// Counts what the views of some businesses have.
    public func countViews(
        of businesses: Set<BusinessID>
    ) async throws(StoreError) -> ViewCounts {
        // The time since which a customer waits is in the rows.
        try await flushRows()
        return try await read { connection throws(StoreError) in
            var counts = ViewCounts()
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                try ListQuery.add(countsOf: number, to: &counts, on: connection)
                try WaitingRows.add(
                    ConversationFilter(businesses: [business]), of: number, to: &counts.waiting,
                    on: connection)
            }
            return counts
        }
    }
}
