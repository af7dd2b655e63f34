public import DeskModel
public import DeskStore

/// The rows of agents' choices.
package enum Preferences {
    package static let columns = "SELECT agent, send_delay, console FROM agent_preferences"

    package static func read(
        _ row: any SQLStatement
    ) throws(StoreError) -> (agent: AgentID, preferences: AgentPreferences) {
        let agent = AgentID(try row.id())
        let sendDelay = Int(row.integer())
        return (
            agent,
            AgentPreferences(sendDelay: sendDelay, console: row.textIfAny().map { Array($0.utf8) })
        )
    }

    package static func put(
        _ preferences: AgentPreferences, of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO agent_preferences (agent, send_delay, console) VALUES (?, ?, ?) \
                ON CONFLICT (agent) DO UPDATE SET send_delay = excluded.send_delay, \
                console = excluded.console
                """)
        try statement.bind(agent.value)
        try statement.bind(Int64(preferences.sendDelay))
        try statement.bind(preferences.console.map { String(decoding: $0, as: UTF8.self) })
        try statement.run()
    }

    static func find(
        of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> AgentPreferences {
        let statement = try sql.statement("\(columns) WHERE agent = ?")
        try statement.bind(agent.value)
        return try statement.first { row throws(StoreError) in
            try read(row).preferences
        } ?? AgentPreferences()
    }
}

extension SQLRegistries {
    /// Finds an agent's choices; what holds without any where there are none.
    public func findPreferences(of agent: AgentID) async throws(StoreError) -> AgentPreferences {
        try await readRegistry { sql throws(StoreError) in
            try Preferences.find(of: agent, on: sql)
        }
    }

    /// Changes an agent's choices as they are stored, and returns what they are then.
    public func changePreferences(
        of agent: AgentID, _ apply: @escaping @Sendable (inout AgentPreferences) -> Void
    ) async throws(StoreError) -> AgentPreferences {
        try await change(.people(.savePreferences(of: agent)), author: .agent(agent)) {
            sql throws(StoreError) in
            var preferences = try Preferences.find(of: agent, on: sql)
            apply(&preferences)
            try Preferences.put(preferences, of: agent, on: sql)
            return preferences
        }
    }
}
