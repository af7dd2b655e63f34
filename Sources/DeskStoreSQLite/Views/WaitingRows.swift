import DeskModel
import DeskStore

/// How the customers of a list who wait are counted, and the longest waiter found: from what is kept
/// and from an index, never by looking at conversations.
enum WaitingRows {
    private static let isWaiting =
        "c.waiting_since IS NOT NULL AND c.state = 'open' AND c.has_left = 0"

    /// What is kept: a number for each assignee of a business, changed by triggers.
    ///
    /// The first assignee's index gives the longest waiter of an agent, the other that of all.
    static let schema = """
        CREATE TABLE waiting_counts (
            business INTEGER NOT NULL, assignee BLOB NOT NULL, held INTEGER NOT NULL,
            PRIMARY KEY (business, assignee)) WITHOUT ROWID;
        INSERT INTO waiting_counts SELECT business, coalesce(assignee, x''), count(*)
            FROM conversations c WHERE \(isWaiting) GROUP BY business, coalesce(assignee, x'');
        CREATE TRIGGER conversation_waits AFTER INSERT ON conversations
            WHEN \(isWaiting(of: "new")) BEGIN
            INSERT INTO waiting_counts VALUES (new.business, coalesce(new.assignee, x''), 1)
                ON CONFLICT (business, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE TRIGGER conversation_waited
            AFTER UPDATE OF waiting_since, state, assignee, has_left ON conversations
            WHEN (\(isWaiting(of: "old"))) IS NOT (\(isWaiting(of: "new")))
                OR old.assignee IS NOT new.assignee BEGIN
            UPDATE waiting_counts SET held = held - 1 WHERE (\(isWaiting(of: "old")))
                AND business = old.business AND assignee = coalesce(old.assignee, x'');
            INSERT INTO waiting_counts SELECT new.business, coalesce(new.assignee, x''), 1
                WHERE \(isWaiting(of: "new"))
                ON CONFLICT (business, assignee) DO UPDATE SET held = held + 1;
        END;
        CREATE INDEX conversations_waiting ON conversations (business, waiting_since)
            WHERE \(inIndex);
        CREATE INDEX conversations_waiting_for ON conversations (business, assignee, waiting_since)
            WHERE \(inIndex);
        """

    private static let inIndex = "waiting_since IS NOT NULL AND state = 'open' AND has_left = 0"

    private static func isWaiting(of row: String) -> String {
        "\(row).waiting_since IS NOT NULL AND \(row).state = 'open' AND \(row).has_left = 0"
    }

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
