public import DeskModel
public import DeskStore

extension Broker {
    /// Chooses how a business or one of its teams assigns by itself, or with nil that a team does as its
    /// business, and publishes the event of it; `event` is what it says, a JSON object's text.
    ///
    /// - Throws: `notFound` or `unusable` as refusals.
    public func saveAssignment(
        of business: BusinessID, for team: TeamID?, _ stored: StoredAssignment?, event: [UInt8],
        permitted: Set<Role>, by author: Author
    ) async throws(BrokerError) {
        try await commit(
            SaveAssignment(
                of: business, for: team, stored, event: event, permitted: permitted, by: author,
                at: now()))
    }

    /// Assigns a conversation that has no assignee to the next of those who are there, and
    /// publishes it.
    ///
    /// - Throws: `notFound` as a refusal.
    public func assign(
        _ conversation: ConversationID, to online: [AgentID], permitted: Set<Role>
    ) async throws(BrokerError) -> AssignmentOutcome {
        try await commit(
            AssignAutomatically(conversation, to: online, permitted: permitted, at: now()))
    }
}
