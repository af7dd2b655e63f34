import DeskModel
import DeskStore

/// How the customers of a list who wait are counted, and the longest waiter found: from what is kept
/// and from an index, never by looking at conversations.
enum WaitingRows {
    private static let isWaiting =
        "c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0"

    // ?1 is the business's number, ?2 the agent of `mine`.
    static func count(of filter: ConversationFilter) -> String {
        let condition =
            switch filter.care {
            case .all: ""
            case .unassigned: " AND assignee = x''"
            case .mine: " AND assignee = ?2"
            }
        return """
            SELECT coalesce(sum(held), 0) FROM waiting_counts WHERE business = ?1\(condition)
            """
    }

    static func longest(of filter: ConversationFilter) -> String {
        let (index, condition) =
            switch filter.care {
            case .all: ("conversations_waiting", "")
            case .unassigned: ("conversations_waiting_for", " AND c.assignee IS NULL")
            case .mine: ("conversations_waiting_for", " AND c.assignee = ?2")
            }
        return """
            SELECT c.id, c.waiting_since FROM conversations c INDEXED BY \(index) \
            WHERE c.business = ?1\(condition) AND \(isWaiting) ORDER BY c.waiting_since LIMIT 1
            """
    }

    /// Adds a business's part of a list.
    static func add(
        _ filter: ConversationFilter, of business: Int64, to found: inout WaitingConversations,
        on connection: Connection
    ) throws(StoreError) {
        func bind(_ statement: Statement) throws(StoreError) {
            try statement.bind(business)
            if case .mine(let agent) = filter.care { try statement.bind(agent.value) }
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
