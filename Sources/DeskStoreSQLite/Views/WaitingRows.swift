import DeskModel
import DeskStore

/// How the customers of a list who wait are counted, and the longest waiter found: from what is kept
/// and from an index, never by looking at conversations.
enum WaitingRows {
    private static let isWaiting =
        "c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0"

    private static let mentioning =
        "c.id IN (SELECT conversation FROM mentions WHERE agent = ?2)"

    // ?1 is the business's number, ?2 the agent of `mine` or of `mentioning`.
    static func count(of filter: ConversationFilter) -> String {
        let condition: String
        switch filter.care {
        case .all: condition = ""
        case .unassigned: condition = " AND assignee = x''"
        case .mine: condition = " AND assignee = ?2"
        case .mentioning:
            return """
                SELECT count(*) FROM conversations c INDEXED BY conversations_waiting \
                WHERE c.business = ?1 AND \(mentioning) AND \(isWaiting)
                """
        }
        return """
            SELECT coalesce(sum(held), 0) FROM waiting_counts WHERE business = ?1\(condition)
            """
    }

    /// The index that has a list in the order of waiting, and what the list asks for beside it.
    private static func access(
        to filter: ConversationFilter
    ) -> (index: String, condition: String) {
        switch filter.care {
        case .all: ("conversations_waiting", "")
        case .unassigned: ("conversations_waiting_for", " AND c.assignee IS NULL")
        case .mine: ("conversations_waiting_for", " AND c.assignee = ?2")
        case .mentioning: ("conversations_waiting", " AND " + mentioning)
        }
    }

    static func longest(of filter: ConversationFilter) -> String {
        let (index, condition) = access(to: filter)
        return """
            SELECT c.id, c.waiting_since FROM conversations c INDEXED BY \(index) \
            WHERE c.business = ?1\(condition) AND \(isWaiting) ORDER BY c.waiting_since LIMIT 1
            """
    }

    /// The statement for a page of those who wait, longest first, with its parameters.
    static func page(
        of filter: ConversationFilter, among: [Int64]?, in business: Int64,
        after place: WaitingPlace?, limit: Int, isCounted: Bool = false, on connection: Connection
    ) throws(StoreError) -> Statement {
        let (index, condition) = access(to: filter)
        var narrowing = RowConditions()
        narrowing.demand(filter)
        if let among {
            narrowing.demand(
                "c.number IN (SELECT value FROM json_each(?))",
                .text("[\(among.map(String.init).joined(separator: ","))]"))
        }
        let rows = """
            SELECT \(isCounted ? "1" : ConversationColumns.list) \
            FROM conversations c INDEXED BY \(index) \
            LEFT JOIN businesses b ON b.number = c.business \
            WHERE c.business = ?1\(condition) AND \(isWaiting) AND c.waiting_since >= ?3 \
            AND (c.waiting_since > ?3 OR c.id > ?4)\
            \(narrowing.text.isEmpty ? "" : " AND " + narrowing.text) \
            ORDER BY c.waiting_since, c.id LIMIT ?
            """
        let statement = try connection.statement(
            isCounted ? "SELECT count(*) FROM (\(rows))" : rows)
        try statement.bind(business)
        try statement.bind(filter.care.agent?.value)
        try statement.bind(place?.since.milliseconds ?? Int64.min)
        try statement.bind(place?.conversation.value ?? UniqueID(high: 0, low: 0))
        // The parameters without a number follow those with one.
        for value in narrowing.values { try value.bind(to: statement) }
        try statement.bind(Int64(limit))
        return statement
    }

    /// The order of `page`, for those of several businesses.
    static func isBefore(_ one: Conversation, _ other: Conversation) -> Bool {
        guard let first = WaitingPlace(one), let second = WaitingPlace(other) else { return false }
        guard first.since == second.since else { return first.since < second.since }
        let (a, b) = (first.conversation.value, second.conversation.value)
        return (a.high, a.low) < (b.high, b.low)
    }

    /// Adds a business's part of a list.
    static func add(
        _ filter: ConversationFilter, of business: Int64, to found: inout WaitingConversations,
        on connection: Connection
    ) throws(StoreError) {
        func bind(_ statement: Statement) throws(StoreError) {
            try statement.bind(business)
            if let agent = filter.care.agent { try statement.bind(agent.value) }
        }
        let counting = try connection.statement(count(of: filter))
        try bind(counting)
        let count = try counting.first { $0.integer() } ?? 0
        guard count > 0 else { return }
        found.count += Int(count)
        let finding = try connection.statement(longest(of: filter))
        try bind(finding)
        let first = try finding.first { row throws(StoreError) in
            (ConversationID(try row.id()), row.time())
        }
        guard let (id, since) = first, found.since.map({ since < $0 }) ?? true else { return }
        found.longest = id
        found.since = since
    }
}
