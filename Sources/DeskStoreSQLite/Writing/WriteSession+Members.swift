import DeskModel
import DeskStore

extension WriteSession {
    /// Changes a member's role with all that hangs on it.
    func change(_ change: MemberChange) throws(StoreError) -> Outcome {
        let (agent, business) = (change.agent, change.business)
        guard let held = try Agents.role(of: agent, in: business, on: connection) else {
            return .refused(.notFound)
        }
        guard held != change.role else { return .member(endedKeys: []) }
        if held == .owner {
            let others = try Agents.hasOwner(
                otherThan: agent, in: business, on: connection)
            guard others else { return .refused(.lastOwner) }
        }
        willWrite()
        var ended: [KeyID] = []
        if change.role != .owner {
            ended = try Keys.endGrants(by: agent, for: business, on: connection)
            try Invitations.withdraw(by: agent, for: business, on: connection)
        }
        if let role = change.role {
            try Agents.setRole(role, of: agent, in: business, on: connection)
        } else {
            try Agents.endMembership(of: agent, in: business, on: connection)
            try giveBack(change)
        }
        return .member(endedKeys: ended)
    }

    /// Gives back what was assigned to somebody who is no member any more, as far as one commit does.
    ///
    /// What others of the same transaction assigned is in no row yet; `abandoned` finds it later.
    private func giveBack(_ change: MemberChange) throws(StoreError) {
        guard let number = try Businesses.number(of: change.business, on: connection) else {
            return
        }
        let most = MemberChange.conversationsAtOnce
        let statement = try connection.statement(
            literal: """
                SELECT id FROM conversations WHERE business = ? AND assignee = ? \
                ORDER BY activity LIMIT ?
                """)
        try statement.bind(number)
        try statement.bind(change.agent.value)
        try statement.bind(Int64(most))
        let ids = try statement.all { row throws(StoreError) in ConversationID(try row.id()) }
        for id in ids {
            do {
                _ = try self.change(id, .assign(nil), by: change.author, at: change.time)
            } catch {
                // A conversation that cannot be read takes nothing more; the membership ends all the same.
                guard error.code == .damaged else { throw error }
            }
        }
    }
}
