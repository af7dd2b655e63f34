package import DeskModel
package import DeskStore

/// The statements behind the conversation lists.
package enum ListQuery {
    // What a filter does not ask for is not in its statement, so that each is read from the index
    // that fits.

    /// The statement for a page of a filter's list, with its parameters.
    package static func page(
        of filter: ConversationFilter, in business: Int64, before: Int64, limit: Int,
        on sql: any SQLSession
    ) throws(StoreError) -> any SQLStatement {
        let statement = try sql.statement(page(of: filter))
        try statement.bind(business)
        try bind(filter.states, to: statement)
        if let agent = filter.care.agent { try statement.bind(agent.value) }
        try statement.bind(before)
        try statement.bind(Int64(limit))
        return statement
    }

    /// The page of a filter's list; binds the business's number, the states, the agent, before which, and how
    /// many.
    package static func page(of filter: ConversationFilter) -> String {
        var order = "c.activity"
        // By its number: PostgreSQL does not find the order of the list behind a business's id, and sorts it all.
        var conditions = "c.business = ?"
        if let states = filter.states {
            // Several are looked for along the order of the list, and not in the index of states.
            conditions +=
                states.count == 1
                ? " AND c.state = ?"
                : " AND (c.state || '') IN (\(Dialect.parameters(states.count)))"
        }
        switch filter.care {
        case .mine: conditions += " AND c.assignee = ?"
        case .unassigned: conditions += " AND \(BotRows.isUnassigned)"
        case .withBot: conditions += " AND \(BotRows.hasBot)"
        case .mentioning:
            // From the mentions, which are few, and not along the order of all conversations.
            conditions += " AND c.id IN (SELECT conversation FROM mentions WHERE agent = ?)"
            order = "+c.activity"
        case .all: break
        }
        conditions += " AND \(order) < ?"
        return """
            SELECT \(ConversationColumns.list) FROM \(ConversationColumns.source) \
            WHERE \(conditions) ORDER BY \(order) DESC LIMIT ?
            """
    }

    /// The numbers of a business's lists: from what is kept, never by looking at conversations.
    package static func counts(
        of states: Set<ConversationState>?, in business: BusinessID, mineOf agent: AgentID?,
        on sql: any SQLSession
    ) throws(StoreError) -> ConversationCounts {
        let marks = states.map { Dialect.parameters($0.count) }
        let statement = try sql.statement(
            """
            SELECT CAST(coalesce(sum(c.held), 0) AS BIGINT), \
            CAST(coalesce(sum(CASE WHEN length(c.assignee) = 0 THEN c.held END), 0) AS BIGINT), \
            CAST(coalesce(sum(CASE WHEN c.assignee = ? THEN c.held END), 0) AS BIGINT) \
            FROM conversation_counts c JOIN businesses b ON b.number = c.business \
            WHERE b.id = ?\(marks.map { " AND c.state IN (\($0))" } ?? "")
            """)
        try statement.bind(agent?.value)
        try statement.bind(business.value)
        try bind(states, to: statement)
        var counts = ConversationCounts()
        _ = try statement.first { row in
            counts.all = Int(row.integer())
            counts.unassigned = Int(row.integer())
            counts.mine = Int(row.integer())
        }
        guard counts.unassigned > 0 else { return counts }
        let bots = try sql.statement(
            """
            SELECT CAST(coalesce(sum(c.held), 0) AS BIGINT) FROM bot_counts c \
            JOIN businesses b ON b.number = c.business WHERE b.id = ? AND length(c.assignee) = 0\
            \(marks.map { " AND c.state IN (\($0))" } ?? "")
            """)
        try bots.bind(business.value)
        try bind(states, to: bots)
        counts.unassigned -= Int(try bots.first { $0.integer() } ?? 0)
        return counts
    }

    private static func bind(
        _ states: Set<ConversationState>?, to statement: any SQLStatement
    ) throws(StoreError) {
        for state in states ?? [] { try statement.bind(state.rawValue) }
    }

    /// Adds what the views of a business have.
    package static func add(
        countsOf business: Int64, to counts: inout ViewCounts, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
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
        try add(botsOf: business, to: &counts, on: sql)
        let teams = try sql.statement(
            literal: """
                SELECT team, held FROM team_counts \
                WHERE business = ? AND state = 'open' AND held > 0
                """)
        try teams.bind(business)
        let held = try teams.all { row throws(StoreError) in
            (id: TeamID(try row.id()), held: Int(row.integer()))
        }
        for team in held { counts.teams[team.id, default: 0] += team.held }
        let labelled = try sql.statement(
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

    /// Adds how many open conversations bots have, which are not among the unassigned ones.
    private static func add(
        botsOf business: Int64, to counts: inout ViewCounts, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                SELECT length(assignee), held FROM bot_counts \
                WHERE business = ? AND state = 'open' AND held > 0
                """)
        try statement.bind(business)
        let rows = try statement.all { row in
            (isUnassigned: row.integer() == 0, held: Int(row.integer()))
        }
        for row in rows {
            counts.withBot += row.held
            if row.isUnassigned { counts.unassigned -= row.held }
        }
    }
}
