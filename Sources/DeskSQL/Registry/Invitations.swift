public import DeskModel
public import DeskStore

/// The rows of invitations.
package enum Invitations {
    static let columns =
        "SELECT id, business, email, role, token, made_by, created_at, expires_at FROM invitations"

    static func read(_ row: any SQLStatement) throws(StoreError) -> Invitation {
        Invitation(
            id: InvitationID(try row.id()), business: BusinessID(try row.id()), email: row.text(),
            role: try row.value { Role($0) }, token: try row.digest(),
            maker: AgentID(try row.id()), createdAt: row.time(), expiresAt: row.time())
    }

    static func find(
        _ token: Digest, on sql: any SQLSession
    ) throws(StoreError) -> Invitation? {
        let statement = try sql.statement("\(columns) WHERE token = ?")
        try statement.bind(token)
        return try statement.first { row throws(StoreError) in try read(row) }
    }

    static func add(_ invitation: Invitation, on sql: any SQLSession) throws(StoreError) {
        let before = try sql.statement(
            literal: "DELETE FROM invitations WHERE business = ? AND email = ?")
        try before.bind(invitation.business.value)
        try before.bind(invitation.email)
        try before.run()
        let statement = try sql.statement(
            literal: """
                INSERT INTO invitations (id, business, email, role, token, made_by, \
                created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.bind(invitation.id.value)
        try statement.bind(invitation.business.value)
        try statement.bind(invitation.email)
        try statement.bind(invitation.role.name)
        try statement.bind(invitation.token)
        try statement.bind(invitation.maker.value)
        try statement.bind(invitation.createdAt)
        try statement.bind(invitation.expiresAt)
        try statement.run()
    }

    /// Withdraws the invitations that an agent made for a business.
    package static func withdraw(
        by maker: AgentID, for business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM invitations WHERE business = ? AND made_by = ?")
        try statement.bind(business.value)
        try statement.bind(maker.value)
        try statement.run()
    }

    /// Withdraws the invitations that make an owner; they.
    static func withdrawOwners(
        of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> [InvitationID] {
        let found = try sql.statement(
            literal: "SELECT id FROM invitations WHERE business = ? AND role = ?")
        try found.bind(business.value)
        try found.bind(Role.owner.name)
        let ids = try found.all { row throws(StoreError) in InvitationID(try row.id()) }
        let statement = try sql.statement(
            literal: "DELETE FROM invitations WHERE business = ? AND role = ?")
        try statement.bind(business.value)
        try statement.bind(Role.owner.name)
        try statement.run()
        return ids
    }

    static func accept(
        _ invitation: Invitation?, by joining: Joining, at time: Timestamp,
        on sql: any SQLSession
    ) throws(StoreError) -> JoinOutcome {
        guard let invitation, invitation.expiresAt > time else { return .gone }
        let all = try Agents.find(email: invitation.email, on: sql)
        let accounts = all.filter { $0.password != nil }.map(\.id)
        let business = invitation.business
        var member: AgentID
        var held: Role?
        switch joining {
        case .known(let id):
            guard accounts.contains(id) else { return .changed }
            member = id
            held = try Agents.role(of: id, in: business, on: sql)
        case .new(let agent, let beside):
            guard accounts == beside else { return .changed }
            member = try Agents.unused(all, of: business, on: sql) ?? agent.id
            try Agents.save(
                Agent(
                    id: member, name: agent.name, email: invitation.email,
                    password: agent.password, createdAt: agent.createdAt), on: sql)
        }
        if held == nil {
            try Agents.setRole(invitation.role, of: member, in: business, on: sql)
        }
        let statement = try sql.statement(literal: "DELETE FROM invitations WHERE token = ?")
        try statement.bind(invitation.token)
        try statement.run()
        return .joined(member)
    }
}

extension SQLRegistries {
    /// Adds an invitation in place of the one that its address has to its business.
    ///
    /// - Throws: `refused` when its maker has no permitted role in the business now, or invites an
    ///   owner and is none.
    public func add(
        _ invitation: Invitation, permitted: Set<Role>
    ) async throws(StoreError) {
        try await change(
            .people(.addInvitation(invitation.id, to: invitation.business)),
            author: .agent(invitation.maker)
        ) { sql throws(StoreError) in
            let own = try Agents.requireRole(
                permitted, of: invitation.maker, in: invitation.business, on: sql)
            guard OwnerRules.mayGive(invitation.role, in: own) else {
                throw StoreError(.refused, "only an owner invites an owner")
            }
            try Invitations.add(invitation, on: sql)
        }
    }

    /// Finds an invitation by the hash of its link's token, expired ones included.
    public func findInvitation(_ token: Digest) async throws(StoreError) -> Invitation? {
        try await readRegistry { sql throws(StoreError) in
            try Invitations.find(token, on: sql)
        }
    }

    /// Lists a business's invitations, oldest first, expired ones included until they are pruned.
    public func invitations(of business: BusinessID) async throws(StoreError) -> [Invitation] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                "\(Invitations.columns) WHERE business = ? ORDER BY number")
            try statement.bind(business.value)
            return try statement.all { row throws(StoreError) in try Invitations.read(row) }
        }
    }

    /// Withdraws an invitation; returns whether there was one.
    public func removeInvitation(
        _ id: InvitationID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.removeInvitation(id, to: business)), author: author, where: { $0 }
        ) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM invitations WHERE id = ? AND business = ?")
            try statement.bind(id.value)
            try statement.bind(business.value)
            return try statement.runCounting() == 1
        }
    }

    /// Uses an invitation up and makes an account a member, in one commit: of several callers one.
    public func accept(
        _ token: Digest, by joining: Joining, at time: Timestamp
    ) async throws(StoreError) -> JoinOutcome {
        let (outcome, _) = try await change(
            as: { (outcome: JoinOutcome, invitation: Invitation?) in
                guard case .joined(let agent) = outcome, let invitation else { return nil }
                let change = PeopleChange.acceptInvitation(
                    invitation.id, to: invitation.business, by: agent)
                return (.people(change), .agent(agent))
            }
        ) { sql throws(StoreError) in
            let invitation = try Invitations.find(token, on: sql)
            return (
                try Invitations.accept(invitation, by: joining, at: time, on: sql), invitation
            )
        }
        return outcome
    }

    /// Forgets the invitations that expired before a moment.
    public func pruneInvitations(before time: Timestamp) async throws(StoreError) {
        try await change(.people(.pruneInvitations(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "DELETE FROM invitations WHERE expires_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}
