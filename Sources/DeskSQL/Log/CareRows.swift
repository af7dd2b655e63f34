import DeskModel
import DeskStore

/// What is looked up of those who look after conversations.
enum CareRows {
    /// What the members of a business have to do, as its rows say.
    static func workload(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Workload {
        let counting = try sql.statement(
            literal: """
                SELECT c.assignee, c.held FROM businesses b \
                JOIN conversation_counts c ON c.business = b.number \
                WHERE b.id = ? AND c.state = 'open' AND length(c.assignee) > 0 AND c.held > 0
                """)
        try counting.bind(business.value)
        let open = try counting.all { row throws(StoreError) in
            (AgentID(try row.id()), Int(row.integer()))
        }
        return Workload(
            roles: try Agents.roles(in: business, on: sql),
            open: Dictionary(open) { $1 },
            turns: try AssignmentRows.turns(of: business, on: sql))
    }

    /// Who looked after a conversation before.
    static func earlier(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> EarlierCare {
        EarlierCare(
            answeredBy: try answerer(in: one, on: sql),
            taken: try taken(in: one, on: sql))
    }

    /// The agent who wrote to the customer last.
    private static func answerer(
        in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> AgentID? {
        let statement = try sql.statement(
            literal: """
                SELECT previous, direction, author_kind, author_name FROM messages \
                WHERE position = ?
                """)
        var position = one.end
        for _ in 0..<EarlierCare.messages where position > 0 {
            try statement.bind(position)
            let found = try statement.first { row throws(StoreError) in
                let previous = row.integer()
                let isOutbound = row.text() == Direction.outbound.rawValue
                let kind = row.text()
                return (previous, isOutbound, try row.value { Author(kind: kind, name: $0) })
            }
            guard let (previous, isOutbound, writer) = found else { return nil }
            if isOutbound, case .agent(let agent) = writer { return agent }
            position = previous
        }
        return nil
    }

    /// The newest closing of a conversation; nil where it never was closed.
    static func closing(
        of one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> KnownClosing? {
        guard let (time, change) = try newest(.conversationClosed, in: one, on: sql) else {
            return nil
        }
        guard case .waiting(let waiting)? = change else {
            return KnownClosing(time: time, waiting: nil)
        }
        return KnownClosing(time: time, waiting: waiting)
    }

    /// Whose assignment its newest event ended.
    private static func taken(
        in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> EarlierCare.Taken? {
        guard let (time, change) = try newest(.conversationAssigned, in: one, on: sql),
            case .assignee(let from?, nil, let cause)? = change
        else { return nil }
        return EarlierCare.Taken(from: from, by: cause, at: time)
    }

    /// When the newest event of a type was, and what it changed.
    private static func newest(
        _ type: EventType, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> (Timestamp, StepChange?)? {
        // The second condition is the index's.
        let statement = try sql.statement(
            literal: """
                SELECT time, data FROM events WHERE conversation = ? \
                AND type != 'message.accepted' AND type = ? ORDER BY position DESC LIMIT 1
                """)
        try statement.bind(one.number)
        try statement.bind(type.rawValue)
        return try statement.first { row in
            (row.time(), RowFields.readStep(row.text())?.change)
        }
    }
}
