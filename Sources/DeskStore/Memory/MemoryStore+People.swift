public import DeskModel

extension MemoryStore: AgentRegistry {
    /// Adds an agent or replaces what may change.
    public func save(_ agent: Agent) async throws(StoreError) {
        try edit { $0.save(agent) }
    }

    /// Adds the first agent, as owner of every business; false when there is an agent already.
    public func addFirstOwner(_ agent: Agent) async throws(StoreError) -> Bool {
        try edit { state in
            guard state.agents.isEmpty else { return false }
            state.save(agent)
            for business in state.businesses {
                state.roles[.init(agent: agent.id, business: business.id)] = .owner
            }
            return true
        }
    }

    /// Finds an agent by name in the house.
    public func findAgent(_ id: AgentID) async throws(StoreError) -> Agent? {
        try look { state in state.agents.first { $0.id == id } }
    }

    /// Lists the agents with an e-mail address, compared as bytes, oldest first.
    public func agents(email: String) async throws(StoreError) -> [Agent] {
        try look { $0.agents(email: email) }
    }

    /// Lists a business's members, or with nil every agent of the house, oldest first.
    public func agents(of business: BusinessID?) async throws(StoreError) -> [Agent] {
        try look { state in
            guard let business else { return state.agents }
            return state.agents.filter {
                state.roles[.init(agent: $0.id, business: business)] != nil
            }
        }
    }

    /// Lists an agent's memberships.
    public func memberships(of agent: AgentID) async throws(StoreError) -> [Membership] {
        try look { state in
            state.roles.filter { $0.key.agent == agent }
                .map { Membership(agent: agent, business: $0.key.business, role: $0.value) }
        }
    }

    /// Gives an agent a role in a business.
    public func setRole(
        _ role: Role, of agent: AgentID, in business: BusinessID
    ) async throws(StoreError) {
        try edit { $0.roles[.init(agent: agent, business: business)] = role }
    }
}

extension MemoryState {
    mutating func save(_ agent: Agent) {
        if let place = agents.firstIndex(where: { $0.id == agent.id }) {
            agents[place].name = agent.name
            agents[place].email = agent.email
            agents[place].password = agent.password
        } else {
            agents.append(agent)
        }
    }

    func agents(email: String) -> [Agent] {
        agents.filter { $0.email.utf8.elementsEqual(email.utf8) }
    }

    func owns(_ agent: AgentID, _ business: BusinessID) -> Bool {
        roles[.init(agent: agent, business: business)] == .owner
    }

    /// Changes a member's role with all that hangs on it.
    mutating func change(_ change: MemberChange) throws(StoreError) -> Outcome {
        let part = Membership(agent: change.agent, business: change.business)
        guard let held = roles[part] else { return .refused(.notFound) }
        guard held != change.role else { return .member(endedKeys: []) }
        if held == .owner {
            let others = agents.contains {
                $0.id != change.agent && $0.password != nil && owns($0.id, change.business)
            }
            guard others else { return .refused(.lastOwner) }
        }
        let before = (roles, invitations, keys)
        willUndo { ($0.roles, $0.invitations, $0.keys) = before }
        roles[part] = change.role
        var ended: [KeyID] = []
        if change.role != .owner {
            invitations.removeAll {
                $0.business == change.business && $0.maker == change.agent
            }
            for place in keys.indices {
                let count = keys[place].grants.count
                keys[place].grants.removeAll {
                    $0.business == change.business && $0.maker == change.agent
                }
                if keys[place].grants.count < count { ended.append(keys[place].id) }
            }
        }
        guard change.role == nil else { return .member(endedKeys: ended) }
        let left = threads.values.map(\.conversation).filter {
            $0.business == change.business && $0.assignee == change.agent
        }
        for one in left.prefix(MemberChange.conversationsAtOnce) {
            _ = try self.change(one.id, .assign(nil), by: change.author, at: change.time)
        }
        return .member(endedKeys: ended)
    }
}
