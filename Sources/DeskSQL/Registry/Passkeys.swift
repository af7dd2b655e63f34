public import DeskModel
public import DeskStore

/// The rows of passkeys.
package enum Passkeys {
    static let columns = """
        SELECT id, agent, name, host, credential, public_key, algorithm, counter, created_at, used_at \
        FROM passkeys
        """

    static func read(_ row: any SQLStatement) throws(StoreError) -> Passkey {
        Passkey(
            id: PasskeyID(try row.id()), agent: AgentID(try row.id()), name: row.text(),
            host: row.text(), credential: row.bytes(), publicKey: row.bytes(),
            algorithm: row.integer(), counter: row.integer(), createdAt: row.time(),
            usedAt: row.timeIfAny())
    }

    static func all(of agent: AgentID, on sql: any SQLSession) throws(StoreError) -> [Passkey] {
        let statement = try sql.statement("\(columns) WHERE agent = ? ORDER BY number")
        try statement.bind(agent.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    static func find(
        _ credential: [UInt8], on sql: any SQLSession
    ) throws(StoreError) -> Passkey? {
        let statement = try sql.statement("\(columns) WHERE credential = ?")
        try statement.bind(credential)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    static func add(_ passkey: Passkey, on sql: any SQLSession) throws(StoreError) -> AddedPasskey {
        guard try find(passkey.credential, on: sql) == nil else { return .known }
        guard try all(of: passkey.agent, on: sql).count < Passkey.most else { return .tooMany }
        let statement = try sql.statement(
            literal: """
                INSERT INTO passkeys (id, agent, name, host, credential, public_key, algorithm, \
                counter, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(passkey.id.value)
        try statement.bind(passkey.agent.value)
        try statement.bind(passkey.name)
        try statement.bind(passkey.host)
        try statement.bind(passkey.credential)
        try statement.bind(passkey.publicKey)
        try statement.bind(passkey.algorithm)
        try statement.bind(passkey.counter)
        try statement.bind(passkey.createdAt)
        try statement.run()
        return .added
    }

    /// Whom a passkey signed in, when its counter is in order; one that does not count says 0 each time.
    static func use(
        _ id: PasskeyID, counter: Int64, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> AgentID? {
        let statement = try sql.statement(
            literal: """
                UPDATE passkeys SET counter = ?1, used_at = ?2 WHERE id = ?3 \
                AND (counter < ?1 OR (counter = 0 AND ?1 = 0)) RETURNING agent
                """)
        try statement.bind(counter)
        try statement.bind(time)
        try statement.bind(id.value)
        return try statement.first { row throws(StoreError) in AgentID(try row.id()) }
    }

    static func remove(
        _ id: PasskeyID, of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "DELETE FROM passkeys WHERE id = ? AND agent = ?")
        try statement.bind(id.value)
        try statement.bind(agent.value)
        return try statement.runCounting() == 1
    }

    /// Removes every passkey of an account; returns whether there was any.
    static func removeAll(of agent: AgentID, on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "DELETE FROM passkeys WHERE agent = ?")
        try statement.bind(agent.value)
        return try statement.runCounting() > 0
    }
}

extension SQLRegistries {
    /// The passkeys of an account, oldest first.
    public func passkeys(of agent: AgentID) async throws(StoreError) -> [Passkey] {
        try await readRegistry { sql throws(StoreError) in try Passkeys.all(of: agent, on: sql) }
    }

    /// The passkey that an authenticator names so.
    public func findPasskey(_ credential: [UInt8]) async throws(StoreError) -> Passkey? {
        try await readRegistry { sql throws(StoreError) in
            try Passkeys.find(credential, on: sql)
        }
    }

    /// Adds a passkey to its account, in a session that is still there, in whose place another may begin.
    public func add(
        _ passkey: Passkey, in session: Digest, at now: Timestamp, beginning next: Session?
    ) async throws(StoreError) -> AddedPasskey {
        let (recorder, subject) = (registryRecorder, SessionSubject.agent(passkey.agent))
        return try await writeRegistry { sql, entries throws(StoreError) in
            guard try Sessions.isLive(session, of: subject, at: now, on: sql) else { return .ended }
            let outcome = try Passkeys.add(passkey, on: sql)
            guard outcome == .added else { return outcome }
            try SecondFactors.removeUnconfirmed(passkey.agent, on: sql)
            var changes = [
                RegistryChange.people(.addPasskey(of: passkey.agent, named: passkey.name))
            ]
            if let next {
                try Sessions.end(session, on: sql)
                try Sessions.add(next, on: sql)
                changes += [
                    .credentials(.takeSession(session, of: subject)),
                    .credentials(.addSession(of: next.subject)),
                ]
            }
            for change in changes {
                entries.append(try recorder.record(change, by: .agent(passkey.agent), on: sql))
            }
            return outcome
        }
    }

    /// Notes that a passkey signed its person in; false when it is gone, or its counter is not above the last one.
    public func usePasskey(
        _ id: PasskeyID, counter: Int64, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await change(
            as: { (agent: AgentID?) in agent.map { (.people(.usePasskey(of: $0)), .agent($0)) } }
        ) { sql throws(StoreError) in
            try Passkeys.use(id, counter: counter, at: time, on: sql)
        } != nil
    }

    /// Removes a passkey of an account; returns whether there was one.
    public func removePasskey(
        _ id: PasskeyID, of agent: AgentID
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.removePasskey(of: agent)), author: .agent(agent), where: { $0 }
        ) { sql throws(StoreError) in try Passkeys.remove(id, of: agent, on: sql) }
    }
}
