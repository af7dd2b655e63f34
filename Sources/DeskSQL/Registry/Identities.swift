public import DeskModel
public import DeskStore

/// The rows of the identities of accounts.
package enum Identities {
    static let columns = "SELECT issuer, subject, agent, created_at FROM identities"

    static func read(_ row: any SQLStatement) throws(StoreError) -> LinkedIdentity {
        let identity = Identity(issuer: row.text(), subject: row.text())
        return LinkedIdentity(
            identity: identity, agent: AgentID(try row.id()), createdAt: row.time())
    }

    static func find(
        _ identity: Identity, on sql: any SQLSession
    ) throws(StoreError) -> AgentID? {
        let statement = try sql.statement("\(columns) WHERE issuer = ? AND subject = ?")
        try statement.bind(identity.issuer)
        try statement.bind(identity.subject)
        return try statement.first { row throws(StoreError) in try read(row).agent }
    }

    static func all(
        of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> [LinkedIdentity] {
        let statement = try sql.statement(
            "\(columns) WHERE agent = ? ORDER BY created_at, issuer, subject")
        try statement.bind(agent.value)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// Links an identity that has no account yet; `isNew` says whether a row was added.
    static func link(
        _ identity: Identity, to agent: AgentID, at time: Timestamp, on sql: any SQLSession
    ) throws(StoreError) -> (outcome: LinkOutcome, isNew: Bool) {
        if let known = try find(identity, on: sql) { return (.account(known), false) }
        let others = try all(of: agent, on: sql)
        guard
            !others.contains(where: {
                $0.identity.issuer.utf8.elementsEqual(identity.issuer.utf8)
            })
        else { return (.otherIdentity, false) }
        let statement = try sql.statement(
            literal: """
                INSERT INTO identities (issuer, subject, agent, created_at) VALUES (?, ?, ?, ?)
                """)
        try statement.bind(identity.issuer)
        try statement.bind(identity.subject)
        try statement.bind(agent.value)
        try statement.bind(time)
        try statement.run()
        return (.account(agent), true)
    }

    /// As above, to the one account with a password that has an address.
    static func link(
        _ identity: Identity, toAccountOf email: String, at time: Timestamp,
        on sql: any SQLSession
    ) throws(StoreError) -> (outcome: LinkOutcome, isNew: Bool) {
        if let known = try find(identity, on: sql) { return (.account(known), false) }
        let accounts = try Agents.find(email: email, on: sql).filter { $0.password != nil }
        guard let account = accounts.first else { return (.noAccount, false) }
        guard accounts.count == 1 else { return (.severalAccounts, false) }
        return try link(identity, to: account.id, at: time, on: sql)
    }

    /// Removes every identity of an account; returns whether there was any.
    static func removeAll(of agent: AgentID, on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "DELETE FROM identities WHERE agent = ?")
        try statement.bind(agent.value)
        return try statement.runCounting() > 0
    }
}

extension SQLRegistries {
    /// The account that an identity is linked to.
    public func findAccount(of identity: Identity) async throws(StoreError) -> AgentID? {
        try await readRegistry { sql throws(StoreError) in try Identities.find(identity, on: sql) }
    }

    /// Links an identity to the one account with a password that has an address.
    public func link(
        _ identity: Identity, toAccountOf email: String, at time: Timestamp
    ) async throws(StoreError) -> LinkOutcome {
        try await linkOnce(identity) { sql throws(StoreError) in
            try Identities.link(identity, toAccountOf: email, at: time, on: sql)
        }
    }

    /// Links an identity to an account.
    public func link(
        _ identity: Identity, to agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> LinkOutcome {
        try await linkOnce(identity) { sql throws(StoreError) in
            try Identities.link(identity, to: agent, at: time, on: sql)
        }
    }

    /// The identities of an account, oldest first.
    public func identities(of agent: AgentID) async throws(StoreError) -> [LinkedIdentity] {
        try await readRegistry { sql throws(StoreError) in try Identities.all(of: agent, on: sql) }
    }

    /// Removes every identity of an account; returns whether there was any.
    @discardableResult
    public func removeIdentities(
        of agent: AgentID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.removeIdentities(of: agent)), author: author, where: { $0 }
        ) { sql throws(StoreError) in try Identities.removeAll(of: agent, on: sql) }
    }

    /// Makes a link and records it, with the account that it is to as its author.
    private func linkOnce(
        _ identity: Identity,
        _ body:
            @escaping @Sendable (any SQLSession) throws(StoreError) -> (
                outcome: LinkOutcome, isNew: Bool
            )
    ) async throws(StoreError) -> LinkOutcome {
        try await change(
            as: { (outcome: LinkOutcome, isNew: Bool) in
                guard isNew, case .account(let agent) = outcome else { return nil }
                return (.people(.linkIdentity(of: agent, at: identity.issuer)), .agent(agent))
            }, body
        ).outcome
    }
}
