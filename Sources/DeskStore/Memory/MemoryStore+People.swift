public import DeskModel

extension MemoryStore: BusinessRegistry {
    /// Adds a business or replaces what may change of it.
    public func save(_ business: Business) async throws(StoreError) {
        try edit { state in
            guard let place = state.businesses.firstIndex(where: { $0.id == business.id }) else {
                state.businesses.append(business)
                return
            }
            state.businesses[place].name = business.name
            state.businesses[place].colour = business.colour
            state.businesses[place].picture = business.picture
        }
    }

    /// Finds a business.
    public func findBusiness(_ id: BusinessID) async throws(StoreError) -> Business? {
        try look { state in state.businesses.first { $0.id == id } }
    }

    /// Lists all businesses, oldest first.
    public func businesses() async throws(StoreError) -> [Business] { try look(\.businesses) }

    /// Adds or replaces an entry link.
    public func save(_ link: EntryLink) async throws(StoreError) {
        try edit { state in
            if let place = state.links.firstIndex(where: { $0.isNamed(link.id, link.business) }) {
                state.links[place] = link
            } else {
                state.links.append(link)
            }
        }
    }

    /// Lists a business's entry links, oldest first.
    public func entryLinks(of business: BusinessID) async throws(StoreError) -> [EntryLink] {
        try look { state in state.links.filter { $0.business == business } }
    }

    /// Removes an entry link; returns whether there was one.
    public func removeEntryLink(
        _ id: String, of business: BusinessID
    ) async throws(StoreError) -> Bool {
        try edit { state in
            let before = state.links.count
            state.links.removeAll { $0.isNamed(id, business) }
            return state.links.count < before
        }
    }
}

extension EntryLink {
    fileprivate func isNamed(_ id: String, _ business: BusinessID) -> Bool {
        self.business == business && self.id.utf8.elementsEqual(id.utf8)
    }
}

extension MemoryStore: AgentRegistry {
    /// Adds an agent or replaces what may change; false when the e-mail address is another's.
    public func save(_ agent: Agent) async throws(StoreError) -> Bool {
        try edit { $0.save(agent) }
    }

    /// Adds the first agent, as owner of every business; false when there is an agent already.
    public func addFirstOwner(_ agent: Agent) async throws(StoreError) -> Bool {
        try edit { state in
            guard state.agents.isEmpty, state.save(agent) else { return false }
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

    /// Finds an agent by e-mail address, compared as bytes.
    public func findAgent(email: String) async throws(StoreError) -> Agent? {
        try look { state in
            state.agents.first { $0.email.utf8.elementsEqual(email.utf8) }
        }
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

    /// Gives an agent a role in a business, or with nil takes it away.
    public func setRole(
        _ role: Role?, of agent: AgentID, in business: BusinessID
    ) async throws(StoreError) {
        try edit { $0.roles[.init(agent: agent, business: business)] = role }
    }
}

extension MemoryState {
    fileprivate mutating func save(_ agent: Agent) -> Bool {
        let isTaken = agents.contains {
            $0.id != agent.id && $0.email.utf8.elementsEqual(agent.email.utf8)
        }
        guard !isTaken else { return false }
        if let place = agents.firstIndex(where: { $0.id == agent.id }) {
            agents[place].name = agent.name
            agents[place].email = agent.email
            agents[place].password = agent.password
        } else {
            agents.append(agent)
        }
        return true
    }
}

extension MemoryStore: KeyRegistry {
    /// Adds a key.
    public func add(_ key: APIKey) async throws(StoreError) { try edit { $0.keys.append(key) } }

    /// Finds a key by its public part, revoked ones included.
    public func findKey(_ id: KeyID) async throws(StoreError) -> APIKey? {
        try look { state in state.keys.first { $0.id == id } }
    }

    /// Lists all keys, oldest first.
    public func keys() async throws(StoreError) -> [APIKey] { try look(\.keys) }

    /// Refuses a key from a moment on; returns whether it was in use.
    public func revokeKey(_ id: KeyID, at time: Timestamp) async throws(StoreError) -> Bool {
        try edit { state in
            guard
                let place = state.keys.firstIndex(where: { $0.id == id && $0.revokedAt == nil })
            else { return false }
            state.keys[place].revokedAt = time
            return true
        }
    }

    /// Remembers that a key was used.
    public func touchKey(_ id: KeyID, at time: Timestamp) async throws(StoreError) {
        try edit { state in
            guard let place = state.keys.firstIndex(where: { $0.id == id }) else { return }
            state.keys[place].usedAt = time
        }
    }
}
