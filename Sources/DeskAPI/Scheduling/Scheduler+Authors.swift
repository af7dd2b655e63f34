import DeskModel
import DeskStore
import DeskWeb

extension Scheduler {
    /// Refuses a message of an author who may not send any more.
    func requirePermission(of author: Author, in business: BusinessID) async throws(Problem) {
        guard try await services.maySend(author, in: business) else {
            throw Problem(.forbidden, "Its author may not send messages any more.")
        }
    }
}

extension Services {
    /// Whether the author of a message that waits may send messages to customers of a business now.
    func maySend(_ author: Author, in business: BusinessID) async throws(Problem) -> Bool {
        switch author {
        case .agent(let agent): try await isSender(agent, in: business)
        case .key(let key): try await isSender(key, in: business)
        default: false
        }
    }

    private func isSender(_ agent: AgentID, in business: BusinessID) async throws(Problem) -> Bool {
        let memberships = try await asking { store throws(StoreError) in
            try await store.memberships(of: agent)
        }
        let roles = permissions.roles(with: .sendMessages)
        return memberships.contains {
            $0.business == business && roles.contains(PrincipalRole($0.role))
        }
    }

    /// The addresses of a key are those of its requests, and do not matter here.
    private func isSender(_ id: KeyID, in business: BusinessID) async throws(Problem) -> Bool {
        let key = try await asking { store throws(StoreError) in
            try await store.findKey(id)
        }
        guard let key, key.revokedAt == nil, key.businesses.contains(business) else { return false }
        if let end = key.limits.expiresAt, end <= time.latest() { return false }
        let scopes = permissions.scopes(with: .sendMessages)
        return permissions.roles(with: .sendMessages).contains(.key)
            && !scopes.isDisjoint(with: key.scopes)
    }
}
