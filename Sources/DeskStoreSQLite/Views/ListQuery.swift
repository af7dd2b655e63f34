import DeskModel
import DeskStore

/// The statements behind the conversation lists.
enum ListQuery {
    // ?2 is a state, or several as `,open,closed,`; ?3 the agent of `mine`. What a filter does not
    // ask for is not in its statement, so that each is read from the index that fits.
    private static let severalStates = "instr(?2, ',' || c.state || ',') > 0"

    /// The statement for a page of a filter's list, with its parameters.
    static func page(
        of filter: ConversationFilter, in business: BusinessID, before: Int64, limit: Int,
        on connection: Connection
    ) throws(StoreError) -> Statement {
        let statement = try connection.statement(page(of: filter))
        try statement.bind(business.value)
        try bind(filter, to: statement)
        try statement.bind(before)
        try statement.bind(Int64(limit))
        return statement
    }

    private static let mentioning =
        "c.id IN (SELECT conversation FROM mentions WHERE agent = ?3)"

    /// The page of a filter's list; binds as `bind` says, then ?4 and ?5: before which, and how many.
    static func page(of filter: ConversationFilter) -> String {
        var order = "c.activity"
        var conditions = "b.id = ?1"
        if let states = filter.states {
            conditions += " AND " + (states.count == 1 ? "c.state = ?2" : severalStates)
        }
        switch filter.care {
        case .mine: conditions += " AND c.assignee = ?3"
        case .unassigned: conditions += " AND c.assignee IS NULL"
        case .mentioning:
            // From the mentions, which are few, and not along the order of all conversations.
            conditions += " AND " + mentioning
            order = "+c.activity"
        case .all: break
        }
        conditions += " AND \(order) < ?4"
        return """
            SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
            WHERE \(conditions) ORDER BY \(order) DESC LIMIT ?5
            """
    }

    /// The numbers of a business's lists: from what is kept, never by looking at conversations.
    static let counts = """
        SELECT coalesce(sum(c.held), 0), coalesce(sum(c.held * (c.assignee = x'')), 0), \
        coalesce(sum(c.held * (c.assignee = ?3)), 0) FROM conversation_counts c \
        JOIN businesses b ON b.number = c.business \
        WHERE b.id = ?1 AND (?2 IS NULL OR \(severalStates))
        """

    /// Adds what the views of a business have.
    static func add(
        countsOf business: Int64, to counts: inout ViewCounts, on connection: Connection
    ) throws(StoreError) {
        let statement = try connection.statement(
            literal: """
                SELECT state, assignee, held FROM conversation_counts \
                WHERE business = ? AND held > 0
                """)
        try statement.bind(business)
        let rows = try statement.all { row throws(StoreError) in
            (
                state: try row.value { ConversationState(rawValue: $0) }, assignee: row.idIfAny(),
                held: Int(row.integer())
            )
        }
        for row in rows {
            counts.states[row.state, default: 0] += row.held
            guard row.state == .open else { continue }
            if let assignee = row.assignee {
                counts.assignees[AgentID(assignee), default: 0] += row.held
            } else {
                counts.unassigned += row.held
            }
        }
        let teams = try connection.statement(
            literal: """
                SELECT team, held FROM team_counts \
                WHERE business = ? AND state = 'open' AND held > 0
                """)
        try teams.bind(business)
        let held = try teams.all { row throws(StoreError) in
            (id: TeamID(try row.id()), held: Int(row.integer()))
        }
        for team in held { counts.teams[team.id, default: 0] += team.held }
        let labelled = try connection.statement(
            literal: """
                SELECT label, held FROM label_counts \
                WHERE business = ? AND state = 'open' AND held > 0
                """)
        try labelled.bind(business)
        let labels = try labelled.all { row throws(StoreError) in
            (id: try row.value { LabelID($0) }, held: Int(row.integer()))
        }
        for label in labels { counts.labels[label.id, default: 0] += label.held }
    }

    /// The states in the form of `counts`.
    static func states(of filter: ConversationFilter) -> String? {
        filter.states.map { "," + $0.map(\.rawValue).joined(separator: ",") + "," }
    }

    /// Binds the second and third parameter of `page`.
    static func bind(_ filter: ConversationFilter, to statement: Statement)
        throws(StoreError)
    {
        if let states = filter.states, let only = states.first, states.count == 1 {
            try statement.bind(only.rawValue)
        } else {
            try statement.bind(states(of: filter))
        }
        try statement.bind(filter.care.agent?.value)
    }
}
