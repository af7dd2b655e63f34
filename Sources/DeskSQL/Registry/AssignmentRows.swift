public import DeskModel
public import DeskStore

/// The rows of assigning by itself: the rules, and whose turn it was last.
///
/// A business's own rule has no bytes as its team. Capacities are a list of ids and numbers with commas.
package enum AssignmentRows {
    package static let columns = """
        SELECT business, team, strategy, is_sticky, capacity, give_back, capacities \
        FROM assignment_rules
        """

    package static func read(_ row: any SQLStatement) throws(StoreError) -> StoredAssignment {
        let business = BusinessID(try row.id())
        let team = row.idIfAny().map { TeamID($0) }
        let rule = AssignmentRule(
            try row.value { AssignmentRule.Strategy(rawValue: $0) }, isSticky: row.bool(),
            capacity: Int(row.integer()), giveBackMinutes: row.integerIfAny().map { Int($0) })
        return StoredAssignment(
            of: business, for: team, rule, capacities: try row.value { capacities($0) })
    }

    private static func capacities(_ text: String) -> [AgentID: Int]? {
        var capacities: [AgentID: Int] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: ":")
            guard pair.count == 2, let agent = AgentID(pair[0]), let number = Int(pair[1]) else {
                return nil
            }
            capacities[agent] = number
        }
        return capacities
    }

    package static func all(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [StoredAssignment] {
        let statement = try sql.statement("\(columns) WHERE business = ? ORDER BY team")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Keeps a rule instead of the one before, or with nil forgets it.
    package static func put(
        _ stored: StoredAssignment?, of business: BusinessID, for team: TeamID?,
        on sql: any SQLSession
    ) throws(StoreError) {
        let remover = try sql.statement(
            literal: "DELETE FROM assignment_rules WHERE business = ? AND team = ?")
        try bind(business, team, to: remover)
        try remover.run()
        guard let stored else { return }
        let statement = try sql.statement(
            literal: """
                INSERT INTO assignment_rules (business, team, strategy, is_sticky, capacity, \
                give_back, capacities) VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        try bind(business, team, to: statement)
        try statement.bind(stored.rule.strategy.rawValue)
        try statement.bind(stored.rule.isSticky)
        try statement.bind(Int64(stored.rule.capacity))
        try statement.bind(stored.rule.giveBackMinutes.map { Int64($0) })
        try statement.bind(
            stored.capacities.map { "\($0.key.text):\($0.value)" }.sorted().joined(separator: ","))
        try statement.run()
    }

    /// Notes the position at which an agent was given a conversation.
    package static func putTurn(
        _ agent: AgentID, of business: BusinessID, _ position: Int64, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO assignment_turns (business, agent, position) VALUES (?, ?, ?) \
                ON CONFLICT (business, agent) DO UPDATE SET position = excluded.position
                """)
        try statement.bind(business.value)
        try statement.bind(agent.value)
        try statement.bind(position)
        try statement.run()
    }

    /// The positions at which the agents of a business were given conversations last.
    package static func turns(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [AgentID: Int64] {
        let statement = try sql.statement(
            literal: "SELECT agent, position FROM assignment_turns WHERE business = ?")
        try statement.bind(business.value)
        let rows = try statement.all { row throws(StoreError) in
            (AgentID(try row.id()), row.integer())
        }
        return Dictionary(rows) { $1 }
    }

    private static func bind(
        _ business: BusinessID, _ team: TeamID?, to statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(business.value)
        if let team { try statement.bind(team.value) } else { try statement.bind([UInt8]()) }
    }
}

extension SQLRegistries {
    /// Lists the rules of a business, its own first, and of the teams that have one.
    public func assignment(
        of business: BusinessID
    ) async throws(StoreError) -> [StoredAssignment] {
        try await readRegistry { sql throws(StoreError) in
            try AssignmentRows.all(of: business, on: sql)
        }
    }
}
