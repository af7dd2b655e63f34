public import DeskModel
public import DeskStore

/// The rows of agents' choices.
package enum Preferences {
    package static let columns = "SELECT agent, send_delay FROM agent_preferences"

    package static func read(
        _ row: any SQLStatement
    ) throws(StoreError) -> (agent: AgentID, preferences: AgentPreferences) {
        (AgentID(try row.id()), AgentPreferences(sendDelay: Int(row.integer())))
    }

    package static func put(
        _ preferences: AgentPreferences, of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO agent_preferences (agent, send_delay) VALUES (?, ?) \
                ON CONFLICT (agent) DO UPDATE SET send_delay = excluded.send_delay
                """)
        try statement.bind(agent.value)
        try statement.bind(Int64(preferences.sendDelay))
        try statement.run()
    }
}

extension SQLRegistries {
    /// Finds an agent's choices; what holds without any where there are none.
    public func findPreferences(of agent: AgentID) async throws(StoreError) -> AgentPreferences {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement("\(Preferences.columns) WHERE agent = ?")
            try statement.bind(agent.value)
            return try statement.first { row throws(StoreError) in
                try Preferences.read(row).preferences
            } ?? AgentPreferences()
        }
    }

    /// Replaces an agent's choices.
    public func save(
        _ preferences: AgentPreferences, of agent: AgentID
    ) async throws(StoreError) {
        try await change(.people(.savePreferences(of: agent)), author: .agent(agent)) {
            sql throws(StoreError) in try Preferences.put(preferences, of: agent, on: sql)
        }
    }
}
