public import DeskModel
public import DeskStore

extension Broker {
    /// Does several things to a conversation in one commit, all or none, and returns it as it is then.
    ///
    /// - Throws: what the steps say as refusals; then nothing was stored.
    public func perform(
        _ steps: [Write], on conversation: ConversationID
    ) async throws(BrokerError) -> Conversation {
        let after = try await commit(RequireRevision(of: conversation, in: nil), after: steps)
        for case .message(let message) in steps { count(message.submission.facts.direction) }
        return after
    }
}
