package import DeskModel
import DeskStore
package import DeskWeb

extension PermissionTable {
    /// The roles whose members handle conversations: only to them a conversation is assigned, passed or
    /// offered, and only they are in teams, are mentioned, and are there for customers.
    ///
    /// The one place that decides it; what is written carries these roles, and the commit asks with them.
    package var handlingRoles: Set<Role> {
        Set(roles(with: .handleConversations).compactMap(\.member))
    }
}

extension Services {
    /// The roles whose members handle conversations.
    var handlingRoles: Set<Role> { permissions.handlingRoles }

    /// Whether a caller's role in a business handles conversations there.
    func handles(_ principal: Principal, in business: BusinessID) -> Bool {
        permits(.handleConversations, principal, in: business)
    }

    /// Whether a caller's role in a business has a permission, and of a key one of its scopes too.
    func permits(
        _ permission: Permission, _ principal: Principal, in business: BusinessID
    ) -> Bool {
        if case .key(let key) = principal,
            permissions.scopes(with: permission).isDisjoint(with: key.scopes)
        {
            return false
        }
        return principal.role(in: business).map {
            permissions.roles(with: permission).contains($0)
        } ?? false
    }

    /// The members of a business with their roles, in the order of the store's list.
    func members(of business: BusinessID) async throws(Problem) -> [(agent: Agent, role: Role)] {
        try await asking { store throws(StoreError) in
            var members: [(Agent, Role)] = []
            for agent in try await store.agents(of: business) {
                let memberships = try await store.memberships(of: agent.id)
                guard let part = memberships.first(where: { $0.business == business }) else {
                    continue
                }
                members.append((agent, part.role))
            }
            return members
        }
    }

    /// The members of a business who handle conversations.
    func handlers(of business: BusinessID) async throws(Problem) -> [Agent] {
        let handling = handlingRoles
        return try await members(of: business).filter { handling.contains($0.role) }.map(\.agent)
    }
}
