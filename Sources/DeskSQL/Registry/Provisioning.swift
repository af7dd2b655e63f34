import DeskBytes
public import DeskModel
public import DeskStore

/// The rows of what identity providers keep of people and teams.
package enum Provisioning {
    private static let people = """
        SELECT business, agent, user_name, external_id, given_name, family_name, role, created_at, \
        changed_at FROM provisioned_people
        """
    private static let teams = """
        SELECT business, team, external_id, created_at, changed_at FROM provisioned_teams
        """

    /// Names that differ in case alone have the same one.
    private static func key(of name: String) -> String {
        String(decoding: ASCII.lowercased(name.utf8), as: UTF8.self)
    }

    private static func person(_ row: any SQLStatement) throws(StoreError) -> ProvisionedPerson {
        let business = BusinessID(try row.id())
        let agent = AgentID(try row.id())
        return ProvisionedPerson(
            agent: agent, business: business, userName: row.text(), externalID: row.textIfAny(),
            givenName: row.textIfAny(), familyName: row.textIfAny(),
            role: try row.value { Role($0) }, createdAt: row.time(), changedAt: row.time())
    }

    private static func team(_ row: any SQLStatement) throws(StoreError) -> ProvisionedTeam {
        let business = BusinessID(try row.id())
        return ProvisionedTeam(
            team: TeamID(try row.id()), business: business, externalID: row.textIfAny(),
            createdAt: row.time(), changedAt: row.time())
    }

    static func people(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [ProvisionedPerson] {
        let statement = try sql.statement("\(people) WHERE business = ? ORDER BY number")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try person(row) }
    }

    static func teams(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [ProvisionedTeam] {
        let statement = try sql.statement("\(teams) WHERE business = ? ORDER BY number")
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in try team(row) }
    }

    /// Whom a business has under a name, whatever its case.
    static func agent(
        named name: String, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> AgentID? {
        let statement = try sql.statement(
            literal: "SELECT agent FROM provisioned_people WHERE business = ? AND name_key = ?")
        try statement.bind(business.value)
        try statement.bind(key(of: name))
        return try statement.first { row throws(StoreError) in AgentID(try row.id()) }
    }

    static func isKept(
        _ agent: AgentID, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "SELECT 1 FROM provisioned_people WHERE business = ? AND agent = ?")
        try statement.bind(business.value)
        try statement.bind(agent.value)
        return try statement.first { $0.integer() } != nil
    }

    static func count(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Int64 {
        let statement = try sql.statement(
            literal: "SELECT count(*) FROM provisioned_people WHERE business = ?")
        try statement.bind(business.value)
        return try statement.first { $0.integer() } ?? 0
    }

    static func save(_ person: ProvisionedPerson, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO provisioned_people (business, agent, user_name, name_key, external_id, \
                given_name, family_name, role, created_at, changed_at) \
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business, agent) DO UPDATE SET \
                user_name = excluded.user_name, name_key = excluded.name_key, \
                external_id = excluded.external_id, given_name = excluded.given_name, \
                family_name = excluded.family_name, role = excluded.role, \
                changed_at = excluded.changed_at
                """)
        try statement.bind(person.business.value)
        try statement.bind(person.agent.value)
        try statement.bind(person.userName)
        try statement.bind(key(of: person.userName))
        try statement.bind(person.externalID)
        try statement.bind(person.givenName)
        try statement.bind(person.familyName)
        try statement.bind(person.role.name)
        try statement.bind(person.createdAt)
        try statement.bind(person.changedAt)
        try statement.run()
    }

    static func save(_ team: ProvisionedTeam, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO provisioned_teams (business, team, external_id, created_at, changed_at) \
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (business, team) DO UPDATE SET \
                external_id = excluded.external_id, changed_at = excluded.changed_at
                """)
        try statement.bind(team.business.value)
        try statement.bind(team.team.value)
        try statement.bind(team.externalID)
        try statement.bind(team.createdAt)
        try statement.bind(team.changedAt)
        try statement.run()
    }

    static func remove(
        person agent: AgentID, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "DELETE FROM provisioned_people WHERE business = ? AND agent = ?")
        try statement.bind(business.value)
        try statement.bind(agent.value)
        return try statement.runCounting() == 1
    }

    static func remove(
        team: TeamID, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: "DELETE FROM provisioned_teams WHERE business = ? AND team = ?")
        try statement.bind(business.value)
        try statement.bind(team.value)
        return try statement.runCounting() == 1
    }

    /// Gives an account another name, where no other business has it.
    static func rename(
        _ agent: AgentID, to name: String, in business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let others = try Agents.memberships(of: agent, on: sql).contains { $0.business != business }
        guard !others else { return false }
        let statement = try sql.statement(literal: "UPDATE agents SET name = ? WHERE id = ?")
        try statement.bind(name)
        try statement.bind(agent.value)
        return try statement.runCounting() == 1
    }
}

extension Provisioning {
    /// Adds a person; `changes` are what is written down of it.
    static func add(
        _ new: NewlyProvisioned, to changes: inout [RegistryChange], on sql: any SQLSession
    ) throws(StoreError) -> ProvisionOutcome {
        let business = new.person.business
        guard try agent(named: new.person.userName, in: business, on: sql) == nil else {
            return .nameTaken
        }
        guard try count(of: business, on: sql) < ProvisionedPerson.mostOfBusiness else {
            return .tooMany
        }
        let all = try Agents.find(email: new.email, on: sql)
        var accounts = all.filter { $0.password != nil }
        if accounts.count > 1 {
            // Of several the one that is a member is meant; where none is, the address does not say whose it is.
            let roles = try Agents.roles(in: business, on: sql)
            accounts = accounts.filter { roles[$0.id] != nil }
            guard accounts.count == 1 else { return .severalAccounts }
        }
        var person = new.person
        if let account = accounts.first {
            guard try !isKept(account.id, in: business, on: sql) else { return .nameTaken }
            // That the account is of the person with the address, the first link to an identity provider shows.
            let isMember = try Agents.role(of: account.id, in: business, on: sql) != nil
            let isLinked = try !Identities.all(of: account.id, on: sql).isEmpty
            guard isMember || isLinked else { return .unverifiedAccount }
            person.agent = account.id
        } else {
            guard let password = new.password else { return .noAccount }
            person.agent = try Agents.unused(all, of: business, on: sql) ?? person.agent
            try Agents.save(
                Agent(
                    id: person.agent, name: new.name, email: new.email, password: password,
                    createdAt: person.createdAt), on: sql)
            changes.append(.people(.saveAgent(person.agent)))
        }
        if let held = try Agents.role(of: person.agent, in: business, on: sql) {
            person.role = held
        } else if new.isActive {
            try Agents.setRole(person.role, of: person.agent, in: business, on: sql)
            changes.append(.people(.setRole(person.role, of: person.agent, in: business)))
        }
        try save(person, on: sql)
        changes.append(.people(.provisionPerson(person.agent, of: business)))
        return .added(person.agent)
    }
}

extension SQLRegistries {
    /// The people of a business whom a provider keeps, oldest first.
    public func provisionedPeople(
        of business: BusinessID
    ) async throws(StoreError) -> [ProvisionedPerson] {
        try await readRegistry { sql throws(StoreError) in
            try Provisioning.people(of: business, on: sql)
        }
    }

    /// Adds a person, with the account of the address or a new one, and as a member where the person is active.
    public func provision(
        _ person: NewlyProvisioned, author: Author
    ) async throws(StoreError) -> ProvisionOutcome {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            var changes: [RegistryChange] = []
            let outcome = try Provisioning.add(person, to: &changes, on: sql)
            for change in changes {
                entries.append(try recorder.record(change, by: author, on: sql))
            }
            return outcome
        }
    }

    /// Replaces what is kept of a person; false when another of the business has the name, or the person was removed.
    public func saveProvisioned(
        _ person: ProvisionedPerson, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.provisionPerson(person.agent, of: person.business)), author: author,
            where: { $0 }
        ) { sql throws(StoreError) in
            let holder = try Provisioning.agent(
                named: person.userName, in: person.business, on: sql)
            guard holder == nil || holder == person.agent else { return false }
            // Who was removed meanwhile is not kept again.
            var isThere = try Provisioning.isKept(person.agent, in: person.business, on: sql)
            if !isThere {
                isThere = try Agents.role(of: person.agent, in: person.business, on: sql) != nil
            }
            guard isThere else { return false }
            try Provisioning.save(person, on: sql)
            return true
        }
    }

    /// Makes a person a member again who is none, with a role; returns the role of then.
    ///
    /// - Throws: `refused` for a person whom no provider keeps, so who was removed meanwhile.
    public func activate(
        _ agent: AgentID, of business: BusinessID, as role: Role, author: Author
    ) async throws(StoreError) -> Role {
        try await change(
            as: { (outcome: (role: Role, isNew: Bool)) in
                outcome.isNew ? (.people(.setRole(role, of: agent, in: business)), author) : nil
            }
        ) { sql throws(StoreError) in
            if let held = try Agents.role(of: agent, in: business, on: sql) {
                return (held, false)
            }
            guard try Provisioning.isKept(agent, in: business, on: sql) else {
                throw StoreError(.refused, "no provider keeps the person")
            }
            try Agents.setRole(role, of: agent, in: business, on: sql)
            return (role, true)
        }.role
    }

    /// Gives an account another name, where it is in no other business; returns whether it has it.
    public func rename(
        _ agent: AgentID, to name: String, in business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(.people(.saveAgent(agent)), author: author, where: { $0 }) {
            sql throws(StoreError) in
            try Provisioning.rename(agent, to: name, in: business, on: sql)
        }
    }

    /// Forgets what is kept of a person; returns whether there was anything.
    @discardableResult
    public func removeProvisioned(
        _ agent: AgentID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.unprovisionPerson(agent, of: business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            try Provisioning.remove(person: agent, of: business, on: sql)
        }
    }

    /// The teams of a business that a provider keeps.
    public func provisionedTeams(
        of business: BusinessID
    ) async throws(StoreError) -> [ProvisionedTeam] {
        try await readRegistry { sql throws(StoreError) in
            try Provisioning.teams(of: business, on: sql)
        }
    }

    /// Replaces what is kept of a team.
    public func saveProvisioned(
        _ team: ProvisionedTeam, author: Author
    ) async throws(StoreError) {
        try await change(
            .people(.provisionTeam(team.team, of: team.business)), author: author
        ) { sql throws(StoreError) in try Provisioning.save(team, on: sql) }
    }

    /// Forgets what is kept of a team; returns whether there was anything.
    @discardableResult
    public func removeProvisioned(
        _ team: TeamID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.unprovisionTeam(team, of: business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            try Provisioning.remove(team: team, of: business, on: sql)
        }
    }
}
