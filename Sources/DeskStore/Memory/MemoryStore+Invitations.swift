public import DeskModel

extension MemoryStore: InvitationRegistry {
    /// Adds an invitation in place of the one that its address has to its business.
    ///
    /// - Throws: `refused` when its maker does not own the business.
    public func add(_ invitation: Invitation) async throws(StoreError) {
        let isAdded = try edit { state in
            guard state.owns(invitation.maker, invitation.business) else { return false }
            state.invitations.removeAll { $0.isFor(invitation) }
            state.invitations.append(invitation)
            return true
        }
        guard isAdded else { throw StoreError(.refused, "the maker is no owner") }
    }

    /// Finds an invitation by the hash of its link's token, expired ones included.
    public func findInvitation(_ token: Digest) async throws(StoreError) -> Invitation? {
        try look { state in state.invitations.first { $0.token == token } }
    }

    /// Lists a business's invitations, oldest first, expired ones included until they are pruned.
    public func invitations(of business: BusinessID) async throws(StoreError) -> [Invitation] {
        try look { state in state.invitations.filter { $0.business == business } }
    }

    /// Withdraws an invitation; returns whether there was one.
    public func removeInvitation(
        _ id: InvitationID, of business: BusinessID
    ) async throws(StoreError) -> Bool {
        try edit { state in
            let before = state.invitations.count
            state.invitations.removeAll { $0.id == id && $0.business == business }
            return state.invitations.count < before
        }
    }

    /// Uses an invitation up and makes an account a member: of several callers one.
    public func accept(
        _ token: Digest, by joining: Joining, at time: Timestamp
    ) async throws(StoreError) -> JoinOutcome {
        try edit { $0.accept(token, by: joining, at: time) }
    }

    /// Forgets the invitations that expired before a moment.
    public func pruneInvitations(before time: Timestamp) async throws(StoreError) {
        try edit { $0.invitations.removeAll { $0.expiresAt < time } }
    }
}

extension Invitation {
    /// Whether it is for the same address and business.
    fileprivate func isFor(_ other: Invitation) -> Bool {
        business == other.business && email.utf8.elementsEqual(other.email.utf8)
    }
}

extension MemoryState {
    fileprivate mutating func accept(
        _ token: Digest, by joining: Joining, at time: Timestamp
    ) -> JoinOutcome {
        guard let invitation = invitations.first(where: { $0.token == token }),
            invitation.expiresAt > time
        else { return .gone }
        let all = agents(email: invitation.email)
        let accounts = all.filter { $0.password != nil }.map(\.id)
        let member: AgentID
        switch joining {
        case .known(let id):
            guard accounts.contains(id) else { return .changed }
            member = id
        case .new(let agent, let beside):
            guard accounts == beside else { return .changed }
            let kept = all.first { one in
                one.password == nil
                    && roles.keys.filter { $0.agent == one.id }.map(\.business)
                        == [invitation.business]
            }
            member = kept?.id ?? agent.id
            save(
                Agent(
                    id: member, name: agent.name, email: invitation.email,
                    password: agent.password, createdAt: agent.createdAt))
        }
        let part = Membership(agent: member, business: invitation.business)
        if case .new = joining { roles[part] = nil }
        if roles[part] == nil { roles[part] = invitation.role }
        invitations.removeAll { $0.token == token }
        return .joined(member)
    }
}
