public import DeskModel

extension MemoryStore: KeyRegistry {
    /// Adds a key.
    ///
    /// - Throws: `refused` when the maker of a grant does not own its business.
    public func add(_ key: APIKey) async throws(StoreError) {
        let isAdded = try edit { state in
            let mayMake = key.grants.allSatisfy { grant in
                grant.maker.map { state.owns($0, grant.business) } ?? true
            }
            if mayMake { state.keys.append(key) }
            return mayMake
        }
        guard isAdded else { throw StoreError(.refused, "the maker of a grant is no owner") }
    }

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

    /// Ends a key's grant for a business; returns whether there was one.
    public func removeGrant(
        of key: KeyID, for business: BusinessID
    ) async throws(StoreError) -> Bool {
        try edit { state in
            guard let (place, grant) = state.grant(of: key, for: business) else { return false }
            state.keys[place].grants.remove(at: grant)
            return true
        }
    }

    /// Lets an owner answer for a grant from now on; false without the grant, or for no owner.
    public func confirmGrant(
        of key: KeyID, for business: BusinessID, by owner: AgentID, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try edit { state in
            guard state.owns(owner, business),
                let (place, grant) = state.grant(of: key, for: business)
            else { return false }
            state.keys[place].grants[grant] = KeyGrant(
                business: business, maker: owner, grantedAt: time)
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

extension MemoryState {
    /// Where a grant is; nil when there is none.
    fileprivate func grant(of key: KeyID, for business: BusinessID) -> (Int, Int)? {
        guard let place = keys.firstIndex(where: { $0.id == key }),
            let grant = keys[place].grants.firstIndex(where: { $0.business == business })
        else { return nil }
        return (place, grant)
    }
}
