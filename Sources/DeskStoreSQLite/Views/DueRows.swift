public import DeskModel
import DeskSQL
public import DeskStore

/// How those whose answers are due are listed and counted: from an index in the order of the list.
enum DueRows {
    /// The statement for a page of a business's, the earliest due first, or for their number.
    static func statement(
        _ filter: ConversationFilter, in business: Int64, until end: Timestamp,
        after place: WaitingPlace?, limit: Int, isCounted: Bool, on connection: Connection
    ) throws(StoreError) -> Statement {
        var conditions = RowConditions()
        conditions.demand(
            "c.business = ? AND c.answer_due IS NOT NULL AND c.answer_due <= ?", .integer(business),
            .integer(end.milliseconds))
        if let place {
            conditions.demand(
                "(c.answer_due, c.id) > (?, ?)", .integer(place.since.milliseconds),
                .id(place.conversation.value))
        }
        switch filter.care {
        case .all, .mentioning: break
        case .unassigned: conditions.demand("c.assignee IS NULL")
        case .mine(let agent): conditions.demand("c.assignee = ?", .id(agent.value))
        }
        conditions.demand(filter)
        let columns = isCounted ? "1" : ConversationColumns.list
        let rows = """
            SELECT \(columns) FROM conversations c INDEXED BY conversations_due \
            LEFT JOIN businesses b ON b.number = c.business WHERE \(conditions.text) \
            ORDER BY c.answer_due, c.id LIMIT ?
            """
        let statement = try connection.statement(
            isCounted ? "SELECT count(*) FROM (\(rows))" : rows)
        for value in conditions.values { try value.bind(to: statement) }
        try statement.bind(Int64(limit))
        return statement
    }
}

extension SQLiteStore {
    /// Lists the conversations whose answers are due by moments of their businesses, the earliest first.
    public func dueConversations(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp],
        after place: WaitingPlace?,
        limit: Int
    ) async throws(StoreError) -> Page<Conversation> {
        let limit = min(max(limit, 1), 300)
        // The due times are in the rows.
        try await flushRows()
        let damaged = damaged
        return try await read { connection throws(StoreError) in
            var found: [Conversation] = []
            var read = 0
            for (business, end) in ends where filter.businesses.contains(business) {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                let statement = try DueRows.statement(
                    filter, in: number, until: end, after: place, limit: limit + 1,
                    isCounted: false, on: connection)
                found += try Self.readListed(statement, counting: &read, damaged: damaged)
            }
            found.sort { one, other in
                let (a, b) = (WaitingPlace(due: one), WaitingPlace(due: other))
                guard let a, let b, a.since != b.since else {
                    let (c, d) = (one.id.value, other.id.value)
                    return (c.high, c.low) < (d.high, d.low)
                }
                return a.since < b.since
            }
            return Page(elements: Array(found.prefix(limit)), hasMore: read > limit)
        }
    }

    /// Counts the conversations whose answers are due by moments of their businesses, up to a number.
    public func countDue(
        until ends: [BusinessID: Timestamp]
    ) async throws(StoreError) -> BoundedCount {
        let most = SavedView.mostCounted
        try await flushRows()
        return try await read { connection throws(StoreError) in
            var count = 0
            for (business, end) in ends {
                guard let number = try Businesses.number(of: business, on: connection.sql) else {
                    continue
                }
                let statement = try DueRows.statement(
                    ConversationFilter(businesses: [business]), in: number, until: end, after: nil,
                    limit: most + 1, isCounted: true, on: connection)
                count += Int(try statement.first { $0.integer() } ?? 0)
            }
            return BoundedCount(count, atMost: most)
        }
    }
}
