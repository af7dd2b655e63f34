package import DeskModel
package import DeskStore

/// How the customers of a list who wait are counted, and the longest waiter found.
///
/// From what is kept and from an index. In a business whose bots have conversations all who wait are looked at.
package enum WaitingRows {
    private static let isWaiting =
        "c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0"

    private static let mentioning =
        "c.id IN (SELECT conversation FROM mentions WHERE agent = ?)"

    // The first parameter is the business's number, the next the agent; where conversations are
    // counted that have none, no bytes.
    package static func count(of filter: ConversationFilter, in dialect: Dialect) -> String {
        let condition: String
        switch filter.care {
        case .all: condition = ""
        case .unassigned, .mine: condition = " AND assignee = ?"
        case .withBot: return countOfBots(isUnassigned: false, in: dialect)
        case .mentioning:
            return """
                SELECT count(*) FROM conversations c\(dialect.indexed(by: "conversations_waiting")) \
                WHERE c.business = ? AND \(mentioning) AND \(isWaiting)
                """
        }
        return """
            SELECT CAST(coalesce(sum(held), 0) AS BIGINT) FROM waiting_counts \
            WHERE business = ?\(condition)
            """
    }

    /// The index that has a list in the order of waiting, and what the list asks for beside it.
    private static func access(
        to filter: ConversationFilter
    ) -> (index: String, condition: String) {
        switch filter.care {
        case .all: ("conversations_waiting", " AND \(BotRows.hasNoBot)")
        case .unassigned: ("conversations_waiting_for", " AND \(BotRows.isUnassigned)")
        case .withBot: ("conversations_waiting", " AND \(BotRows.hasBot)")
        case .mine: ("conversations_waiting_for", " AND c.assignee = ?")
        case .mentioning: ("conversations_waiting", " AND " + mentioning)
        }
    }

    package static func longest(of filter: ConversationFilter, in dialect: Dialect) -> String {
        let (index, condition) = access(to: filter)
        return """
            SELECT c.id, c.waiting_since FROM conversations c\(dialect.indexed(by: index)) \
            WHERE c.business = ?\(condition) AND \(isWaiting) ORDER BY c.waiting_since LIMIT 1
            """
    }

    /// The statement for a page of those who wait, longest first, with its parameters.
    package static func page(
        of filter: ConversationFilter, among: [Int64]?, in business: Int64,
        at edge: PageEdge<WaitingPlace>, limit: Int, isCounted: Bool = false, on sql: any SQLSession
    ) throws(StoreError) -> any SQLStatement {
        let (index, condition) = access(to: filter)
        var narrowing = RowConditions()
        narrowing.demand(filter, in: sql.dialect)
        if let among { narrowing.demand(among: among, in: sql.dialect) }
        let (beyond, order) = edge.isBackward ? ("<", "DESC") : (">", "ASC")
        let place = edge.place
        let rows = """
            SELECT \(isCounted ? "1" : ConversationColumns.list) \
            FROM conversations c\(sql.dialect.indexed(by: index)) \
            LEFT JOIN businesses b ON b.number = c.business \
            WHERE c.business = ?1 AND c.waiting_since \(beyond)= ?2 \
            AND (c.waiting_since \(beyond) ?2 OR c.id \(beyond) ?3) AND \(isWaiting)\(condition)\
            \(narrowing.text.isEmpty ? "" : " AND " + narrowing.text) \
            ORDER BY c.waiting_since \(order), c.id \(order) LIMIT ?
            """
        let statement = try sql.statement(
            isCounted ? "SELECT count(*) FROM (\(rows)) r" : rows)
        try statement.bind(business)
        try statement.bind(place?.since.milliseconds ?? Int64.min)
        try statement.bind(place?.conversation.value ?? UniqueID(high: 0, low: 0))
        // The parameters without a number follow those with one.
        if let agent = filter.care.agent { try statement.bind(agent.value) }
        for value in narrowing.values { try value.bind(to: statement) }
        try statement.bind(Int64(limit))
        return statement
    }

    /// The order of `page`, for those of several businesses.
    package static func isBefore(_ one: Conversation, _ other: Conversation) -> Bool {
        guard let first = WaitingPlace(one), let second = WaitingPlace(other) else { return false }
        guard first.since == second.since else { return first.since < second.since }
        let (a, b) = (first.conversation.value, second.conversation.value)
        return (a.high, a.low) < (b.high, b.low)
    }

    // Few wait for a bot: its customers are answered within seconds.
    private static func countOfBots(
        of filter: ConversationFilter, in business: Int64, on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        let isUnassigned = filter.care == .unassigned
        let held = try sql.statement(
            """
            SELECT CAST(coalesce(sum(held), 0) AS BIGINT) FROM bot_counts \
            WHERE business = ? AND state = 'open'\(isUnassigned ? " AND length(assignee) = 0" : "")
            """)
        try held.bind(business)
        guard try held.first({ $0.integer() }) ?? 0 > 0 else { return 0 }
        let statement = try sql.statement(countOfBots(isUnassigned: isUnassigned, in: sql.dialect))
        try statement.bind(business)
        return try statement.first { $0.integer() } ?? 0
    }

    /// Counts those who wait and have a bot; of all, or of those without an agent.
    package static func countOfBots(isUnassigned: Bool, in dialect: Dialect) -> String {
        let index = isUnassigned ? "conversations_waiting_for" : "conversations_waiting"
        return """
            SELECT count(*) FROM conversations c\(dialect.indexed(by: index)) WHERE c.business = ?\
            \(isUnassigned ? " AND c.assignee IS NULL" : "") AND \(isWaiting) AND \(BotRows.hasBot)
            """
    }

    /// Adds a business's part of a list.
    package static func add(
        _ filter: ConversationFilter, of business: Int64, to found: inout WaitingConversations,
        on sql: any SQLSession
    ) throws(StoreError) {
        let agent = filter.care.agent?.value
        let counting = try sql.statement(count(of: filter, in: sql.dialect))
        try counting.bind(business)
        if filter.care == .unassigned { try counting.bind([] as [UInt8]) }
        if let agent { try counting.bind(agent) }
        var count = try counting.first { $0.integer() } ?? 0
        if [.all, .unassigned].contains(filter.care), count > 0 {
            count -= try countOfBots(of: filter, in: business, on: sql)
        }
        guard count > 0 else { return }
        found.count += Int(count)
        let finding = try sql.statement(longest(of: filter, in: sql.dialect))
        try finding.bind(business)
        if let agent { try finding.bind(agent) }
        let first = try finding.first { row throws(StoreError) in
            (ConversationID(try row.id()), row.time())
        }
        guard let (id, since) = first, found.since.map({ since < $0 }) ?? true else { return }
        found.longest = id
        found.since = since
    }
}
