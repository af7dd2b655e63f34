public import DeskModel
import DeskStore

extension Broker {
    /// Changes a member's role, or with nil ends the membership, with all that hangs on it.
    ///
    /// Without a role that handles conversations the member's assignments end: the first
    /// `MemberChange.conversationsAtOnce` in the same commit, the rest at once after it, or by the
    /// next round of housekeeping. Returns the keys whose grants for the business ended.
    ///
    /// `permitted` are the roles that permit it to an agent; the commit looks whether the author has
    /// one of them still. `handling` are those that handle conversations.
    /// - Throws: `notFound` as a refusal for a person who is no member, `lastOwner` when no owner
    ///   who can sign in would be left, `notPermitted` or `onlyOwners` to an agent who may not; then
    ///   nothing was changed.
    public func changeMember(
        _ agent: AgentID, of business: BusinessID, to role: Role?, by author: Author,
        permitted: Set<Role>, handling: Set<Role>
    ) async throws(BrokerError) -> [KeyID] {
        let change = MemberChange(
            agent: agent, business: business, role: role, author: author, permitted: permitted,
            handling: handling, time: now())
        let ended = try await commit(change)
        if !change.keepsWork { try await giveBackAbandoned(handling: handling) }
        return ended
    }

    /// Removes the assignment of every conversation that is assigned to a person who has no role in
    /// its business that handles conversations.
    public func giveBackAbandoned(handling: Set<Role>) async throws(BrokerError) {
        var earlier: [ConversationID] = []
        while true {
            let left: [ConversationID]
            do {
                left = try await store.abandoned(handling: handling)
            } catch {
                throw .store(error)
            }
            // What fails twice stays for the operator, and is not tried for ever.
            guard !left.isEmpty, left != earlier else { return }
            for id in left { await giveBack(id) }
            earlier = left
        }
    }

    /// Removes one assignment; a conversation that cannot be read and so not changed does not stop
    /// the others.
    private func giveBack(_ id: ConversationID) async {
        // Safe: whatever stays is found by the next look.
        _ = try? await change(id, .assign(nil), by: .server)
    }
}
