public import DeskModel
public import DeskStore

/// The rows of what agents chose of being there.
package enum Availabilities {
    package static let columns = "SELECT agent, chosen, version FROM agent_availability"

    package static func read(
        _ row: any SQLStatement
    ) throws(StoreError) -> ChosenAvailability {
        ChosenAvailability(
            agent: AgentID(try row.id()), state: try row.value { Availability(rawValue: $0) },
            version: row.integer())
    }

    static func find(
        _ agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> ChosenAvailability {
        let statement = try sql.statement("\(columns) WHERE agent = ?")
        try statement.bind(agent.value)
        let found = try statement.first { row throws(StoreError) in try read(row) }
        return found ?? ChosenAvailability(agent: agent)
    }

    /// Adds a choice, or replaces an earlier one.
    package static func save(
        _ chosen: ChosenAvailability, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO agent_availability (agent, chosen, version) VALUES (?, ?, ?) \
                ON CONFLICT (agent) DO UPDATE SET chosen = excluded.chosen, \
                version = excluded.version
                """)
        try statement.bind(chosen.agent.value)
        try statement.bind(chosen.state.rawValue)
        try statement.bind(chosen.version)
        try statement.run()
    }
}

extension SQLRegistries {
    /// What an agent chose last; online before the first choice.
    public func availability(of agent: AgentID) async throws(StoreError) -> ChosenAvailability {
        try await readRegistry { sql throws(StoreError) in
            try Availabilities.find(agent, on: sql)
        }
    }

    /// Keeps an agent's choice under a version higher than that before it.
    public func choose(
        _ state: Availability, by agent: AgentID
    ) async throws(StoreError) -> ChosenAvailability {
        try await change(.people(.chooseAvailability(of: agent)), author: .agent(agent)) {
            sql throws(StoreError) in
            let before = try Availabilities.find(agent, on: sql)
            let chosen = ChosenAvailability(
                agent: agent, state: state, version: before.version + 1)
            try Availabilities.save(chosen, on: sql)
            return chosen
        }
    }
}
