public import DeskModel
public import DeskStore

/// The rows of agents and memberships.
package enum Agents {
    static let columns = "SELECT id, name, email, password, created_at FROM agents"

    package static func read(_ row: any SQLStatement) throws(StoreError) -> Agent {
        Agent(
            id: AgentID(try row.id()), name: row.text(), email: row.text(),
            password: row.textIfAny(), createdAt: row.time())
    }

    package static func save(_ agent: Agent, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO agents (id, name, email, password, created_at) \
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET \
                name = excluded.name, email = excluded.email, password = excluded.password
                """)
        try statement.bind(agent.id.value)
        try statement.bind(agent.name)
        try statement.bind(agent.email)
        try statement.bind(agent.password)
        try statement.bind(agent.createdAt)
        try statement.run()
    }

    /// The agents with an address, oldest first.
    static func find(
        email: String, on sql: any SQLSession
    ) throws(StoreError) -> [Agent] {
        let statement = try sql.statement(
            "\(columns) WHERE email = ? ORDER BY number")
        try statement.bind(email)
        return try statement.all { row throws(StoreError) in try read(row) }
    }

    /// The first of several agents who has no password, as one of an import, and is in this business alone: the
    /// person who comes with the address is meant.
    static func unused(
        _ agents: [Agent], of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> AgentID? {
        for agent in agents where agent.password == nil {
            let parts = try memberships(of: agent.id, on: sql)
            if parts.map(\.business) == [business] { return agent.id }
        }
        return nil
    }

    static func memberships(
        of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> [Membership] {
        let statement = try sql.statement(
            literal: """
                SELECT m.business, m.role, b.requires_second_factor, f.confirmed_at \
                FROM memberships m LEFT JOIN businesses b ON b.id = m.business \
                LEFT JOIN second_factors f ON f.agent = m.agent WHERE m.agent = ?
                """)
        try statement.bind(agent.value)
        return try statement.all { row throws(StoreError) in
            let business = BusinessID(try row.id())
            let role = try row.value { Role($0) }
            let isRequired = row.bool()
            return Membership(
                agent: agent, business: business, role: role,
                lacksSecondFactor: isRequired && row.timeIfAny() == nil)
        }
    }

    package static func role(
        of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Role? {
        try memberships(of: agent, on: sql).first { $0.business == business }?.role
    }

    /// The members of a business and their roles.
    package static func roles(
        in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [AgentID: Role] {
        let statement = try sql.statement(
            literal: "SELECT agent, role FROM memberships WHERE business = ?")
        try statement.bind(business.value)
        let rows = try statement.all { row throws(StoreError) in
            (AgentID(try row.id()), try row.value { Role($0) })
        }
        return Dictionary(rows) { $1 }
    }

    /// Asks in the transaction that makes a change whether a person may make it, and returns the role.
    ///
    /// The request was permitted before; the role may have changed since.
    /// - Throws: `refused` without one of the permitted roles in the business.
    @discardableResult
    static func requireRole(
        _ permitted: Set<Role>, of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Role {
        guard let role = try role(of: agent, in: business, on: sql), permitted.contains(role) else {
            throw StoreError(.refused, "the agent's role does not permit it")
        }
        return role
    }

    /// The owners of a business who can sign in.
    package static func ownersWhoSignIn(
        to business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [AgentID] {
        let statement = try sql.statement(
            literal: """
                SELECT a.id FROM memberships m JOIN agents a ON a.id = m.agent \
                WHERE m.business = ? AND m.role = ? AND a.password IS NOT NULL
                """)
        try statement.bind(business.value)
        try statement.bind(Role.owner.name)
        return try statement.all { row throws(StoreError) in AgentID(try row.id()) }
    }

    /// Whether a person has a password.
    package static func canSignIn(
        _ agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT 1 FROM agents WHERE id = ? AND password IS NOT NULL")
        try statement.bind(agent.value)
        return try statement.first { $0.integer() } != nil
    }

    package static func endMembership(
        of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM memberships WHERE agent = ? AND business = ?")
        try statement.bind(agent.value)
        try statement.bind(business.value)
        try statement.run()
        try Drafts.remove(of: agent, in: business, on: sql)
        try Macros.remove(of: agent, in: business, on: sql)
        try SavedViews.remove(of: agent, in: business, on: sql)
    }

    package static func setRole(
        _ role: Role, of agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO memberships (agent, business, role) VALUES (?, ?, ?) \
                ON CONFLICT (agent, business) DO UPDATE SET role = excluded.role
                """)
        try statement.bind(agent.value)
        try statement.bind(business.value)
        try statement.bind(role.name)
        try statement.run()
    }
}

extension SQLRegistries {
    /// Adds an agent or replaces what may change.
    public func save(_ agent: Agent, author: Author) async throws(StoreError) {
        try await change(.people(.saveAgent(agent.id)), author: author) { sql throws(StoreError) in
            try Agents.save(agent, on: sql)
        }
    }

    /// Gives an agent another name.
    public func rename(_ agent: AgentID, to name: String) async throws(StoreError) -> Bool {
        try await change(.people(.saveAgent(agent)), author: .agent(agent), where: { $0 }) {
            sql throws(StoreError) in
            let statement = try sql.statement(literal: "UPDATE agents SET name = ? WHERE id = ?")
            try statement.bind(name)
            try statement.bind(agent.value)
            return try statement.runCounting() == 1
        }
    }

    /// Adds the first agent, as owner of every business; false when there is an agent already.
    public func addFirstOwner(_ agent: Agent) async throws(StoreError) -> Bool {
        try await change(
            .people(.addFirstOwner(agent.id)), author: .agent(agent.id), where: { $0 }
        ) {
            sql throws(StoreError) in
            let count = try sql.statement(literal: "SELECT count(*) FROM agents")
                .first { $0.integer() }
            guard count == 0 else { return false }
            try Agents.save(agent, on: sql)
            let businesses = try sql.statement(literal: "SELECT id FROM businesses")
                .all { row throws(StoreError) in BusinessID(try row.id()) }
            for business in businesses {
                try Agents.setRole(.owner, of: agent.id, in: business, on: sql)
            }
            return true
        }
    }

    /// Finds an agent by name in the server.
    public func findAgent(_ id: AgentID) async throws(StoreError) -> Agent? {
        try await remembered({ $0.agents[id] }, keep: { $0.agents.keep($1, for: id) }) {
            sql throws(StoreError) in
            let statement = try sql.statement("\(Agents.columns) WHERE id = ?")
            try statement.bind(id.value)
            return try statement.first { row throws(StoreError) in try Agents.read(row) }
        }
    }

    /// Lists the agents with an e-mail address, compared as bytes, oldest first.
    public func agents(email: String) async throws(StoreError) -> [Agent] {
        try await readRegistry { sql throws(StoreError) in
            try Agents.find(email: email, on: sql)
        }
    }

    /// Lists a business's members, or with nil every agent of the server, oldest first.
    public func agents(of business: BusinessID?) async throws(StoreError) -> [Agent] {
        try await readRegistry { sql throws(StoreError) in
            guard let business else {
                return try sql.statement("\(Agents.columns) ORDER BY number").all {
                    row throws(StoreError) in try Agents.read(row)
                }
            }
            let statement = try sql.statement(
                """
                \(Agents.columns) WHERE id IN (SELECT agent FROM memberships \
                WHERE business = ?) ORDER BY number
                """)
            try statement.bind(business.value)
            return try statement.all { row throws(StoreError) in try Agents.read(row) }
        }
    }

    /// Lists an agent's memberships.
    public func memberships(of agent: AgentID) async throws(StoreError) -> [Membership] {
        try await remembered(
            { $0.memberships[agent] }, keep: { $0.memberships.keep($1, for: agent) }
        ) {
            sql throws(StoreError) in
            try Agents.memberships(of: agent, on: sql)
        } ?? []
    }

    /// Gives an agent a role in a business.
    public func setRole(
        _ role: Role, of agent: AgentID, in business: BusinessID, author: Author
    ) async throws(StoreError) {
        try await change(.people(.setRole(role, of: agent, in: business)), author: author) {
            sql throws(StoreError) in
            try Agents.setRole(role, of: agent, in: business, on: sql)
        }
    }
}
