import DeskModel
import DeskStore

/// What owners alone may do in these tests, as in the product's table of permissions.
extension InvitationRegistry {
    func add(_ invitation: Invitation) async throws(StoreError) {
        try await add(invitation, permitted: [.owner])
    }
}

extension KeyRegistry {
    func add(_ key: APIKey, author: Author) async throws(StoreError) {
        try await add(key, author: author, permitted: [.owner])
    }

    func confirmGrant(
        of key: KeyID, for business: BusinessID, by member: AgentID, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try await confirmGrant(of: key, for: business, by: member, permitted: [.owner], at: time)
    }
}

extension MemberChange {
    init(agent: AgentID, business: BusinessID, role: Role?, author: Author, time: Timestamp) {
        self.init(
            agent: agent, business: business, role: role, author: author, permitted: [.owner],
            handling: .handling, time: time)
    }
}

extension Set<Role> {
    /// The roles that handle conversations in these tests, as in the product's table of permissions.
    static let handling: Set<Role> = [.owner, .supervisor, .agent]
}
