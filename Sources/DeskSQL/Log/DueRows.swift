import DeskModel
import DeskStore

/// How those whose answers are due are listed and counted: from an index in the order of the list.
enum DueRows {
    /// The statement for a page of a business's, the earliest due first, or for their number.
    static func statement(
        _ filter: ConversationFilter, among: [Int64]?, in business: Int64, until end: Timestamp,
        at edge: PageEdge<WaitingPlace>, limit: Int, isCounted: Bool, on sql: any SQLSession
    ) throws(StoreError) -> any SQLStatement {
        var conditions = RowConditions()
        conditions.demand(
            "c.business = ? AND c.answer_due IS NOT NULL AND c.answer_due <= ?", .integer(business),
            .integer(end.milliseconds))
        let (beyond, order) = edge.isBackward ? ("<", "DESC") : (">", "ASC")
        if let place = edge.place {
            conditions.demand(
                "(c.answer_due, c.id) \(beyond) (?, ?)", .integer(place.since.milliseconds),
                .id(place.conversation.value))
        }
        switch filter.care {
        case .all: break
        case .mentioning(let agent): conditions.demandMention(of: agent)
        case .unassigned: conditions.demand(BotRows.isUnassigned)
        case .withBot: conditions.demand(BotRows.hasBot)
        case .mine(let agent): conditions.demand("c.assignee = ?", .id(agent.value))
        }
        if let among { conditions.demand(among: among, in: sql.dialect) }
        conditions.demand(filter, in: sql.dialect)
        let columns = isCounted ? "1" : ConversationColumns.list
        let rows = """
            SELECT \(columns) FROM conversations c\(sql.dialect.indexed(by: "conversations_due")) \
            LEFT JOIN businesses b ON b.number = c.business WHERE \(conditions.text) \
            ORDER BY c.answer_due \(order), c.id \(order) LIMIT ?
            """
        let statement = try sql.statement(
            isCounted ? "SELECT count(*) FROM (\(rows)) r" : rows)
        for value in conditions.values { try value.bind(to: statement) }
        try statement.bind(Int64(limit))
        return statement
    }

    /// The order of such a page, for those of several businesses.
    static func isBefore(_ one: Conversation, _ other: Conversation) -> Bool {
        let (a, b) = (WaitingPlace(due: one), WaitingPlace(due: other))
        guard let a, let b, a.since != b.since else {
            let (c, d) = (one.id.value, other.id.value)
            return (c.high, c.low) < (d.high, d.low)
        }
        return a.since < b.since
    }
}
