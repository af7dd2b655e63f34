public import DeskModel
public import DeskStore

/// The rows of the browsers that agents signed in with.
package enum Devices {
    static func forget(of agent: AgentID, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM devices WHERE agent = ?")
        try statement.bind(agent.value)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Remembers that an agent signed in with a device; the devices used least recently are
    /// forgotten.
    public func rememberDevice(
        _ token: Digest, of agent: AgentID, at time: Timestamp, atMost most: Int
    ) async throws(StoreError) {
        try await change(.people(.rememberDevice(of: agent)), author: .agent(agent)) {
            sql throws(StoreError) in
            let known = try sql.statement(
                literal: """
                    INSERT INTO devices (token, agent, used_at) VALUES (?, ?, ?) \
                    ON CONFLICT (token, agent) DO UPDATE SET used_at = excluded.used_at
                    """)
            try known.bind(token)
            try known.bind(agent.value)
            try known.bind(time)
            try known.run()
            let beyond = try sql.statement(
                literal: """
                    DELETE FROM devices WHERE agent = ?1 AND token IN (SELECT token FROM devices \
                    WHERE agent = ?1 ORDER BY token = ?2 DESC, used_at DESC \
                    LIMIT 1000000 OFFSET ?3)
                    """)
            try beyond.bind(agent.value)
            try beyond.bind(token)
            try beyond.bind(Int64(most))
            try beyond.run()
            try AgentPushSubscriptions.removeOthers(than: agent, on: token, on: sql)
        }
    }

    /// The agents who signed in with a device at a moment or later.
    public func agents(
        knownOn token: Digest, since time: Timestamp
    ) async throws(StoreError) -> [AgentID] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT agent FROM devices WHERE token = ? AND used_at >= ?")
            try statement.bind(token)
            try statement.bind(time)
            return try statement.all { row throws(StoreError) in AgentID(try row.id()) }
        }
    }

    /// Forgets every device of an agent.
    public func forgetDevices(of agent: AgentID, author: Author) async throws(StoreError) {
        try await change(.people(.forgetDevices(of: agent)), author: author) {
            sql throws(StoreError) in try Devices.forget(of: agent, on: sql)
        }
    }

    /// Forgets the devices without a sign-in since a moment.
    public func pruneDevices(before time: Timestamp) async throws(StoreError) {
        try await change(.people(.pruneDevices(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM devices WHERE used_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}
