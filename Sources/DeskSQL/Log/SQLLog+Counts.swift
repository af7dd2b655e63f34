public import DeskModel
public import DeskStore

extension SQLLog {
    /// Counts what the lists of a filter's businesses and states have.
    public func countConversations(
        _ filter: ConversationFilter, mineOf agent: AgentID?
    ) async throws(StoreError) -> ConversationCounts {
        try await readRegistry { sql throws(StoreError) in
            var counts = ConversationCounts()
            for business in filter.businesses {
                let found = try ListQuery.counts(
                    of: filter.states, in: business, mineOf: agent, on: sql)
                counts.all += found.all
                counts.unassigned += found.unassigned
                counts.mine += found.mine
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
        return try await readRegistry { sql throws(StoreError) in
            var count = 0
            let among = try ConversationRows.numbers(of: filter.among, on: sql)
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                let limit = most + 1 - count
                if isWaiting {
                    let statement = try WaitingRows.page(
                        of: filter, among: among, in: number, at: .start, limit: limit,
                        isCounted: true, on: sql)
                    count += Int(try statement.first { $0.integer() } ?? 0)
                    continue
                }
                for query in NarrowQuery.all(
                    of: filter, among: among, in: number, from: nil, limit: limit,
                    in: sql.dialect)
                where count <= most {
                    let statement = try query.counting(on: sql)
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
        return try await readRegistry { sql throws(StoreError) in
            var found = WaitingConversations()
            for business in filter.businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                try WaitingRows.add(filter, of: number, to: &found, on: sql)
            }
            return found
        }
    }

    /// Counts the conversations whose answers are due by moments of their businesses, up to a number.
    public func countDue(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp]
    ) async throws(StoreError) -> BoundedCount {
        let most = SavedView.mostCounted
        try await flushRows()
        return try await readRegistry { sql throws(StoreError) in
            var count = 0
            let among = try ConversationRows.numbers(of: filter.among, on: sql)
            for (business, end) in ends where filter.businesses.contains(business) {
                guard count <= most else { break }
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                let statement = try DueRows.statement(
                    filter, among: among, in: number, until: end, at: .start, limit: most + 1,
                    isCounted: true, on: sql)
                count += Int(try statement.first { $0.integer() } ?? 0)
            }
            return BoundedCount(count, atMost: most)
        }
    }

    /// Counts what the views of some businesses have.
    public func countViews(
        of businesses: Set<BusinessID>
    ) async throws(StoreError) -> ViewCounts {
        // The time since which a customer waits is in the rows.
        try await flushRows()
        return try await readRegistry { sql throws(StoreError) in
            var counts = ViewCounts()
            for business in businesses {
                guard let number = try Businesses.number(of: business, on: sql) else { continue }
                try ListQuery.add(countsOf: number, to: &counts, on: sql)
                try WaitingRows.add(
                    ConversationFilter(businesses: [business]), of: number, to: &counts.waiting,
                    on: sql)
            }
            return counts
        }
    }
}
