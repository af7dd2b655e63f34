public import DeskModel
import DeskStore

extension Broker {
    /// Suggests an answer in a conversation; an agent decides on it.
    ///
    /// - Parameter messages: those that it may repeat.
    /// - Throws: `notFound`, `customerLeft`, `messageErased` or `unusable` as refusals.
    public func suggest(
        _ suggestion: Suggestion, quoting messages: [MessageID] = []
    ) async throws(BrokerError) -> Suggestion {
        try await commit(AddSuggestion(suggestion, quoting: messages))
    }

    /// Puts a suggested answer away.
    ///
    /// - Throws: `suggestionSettled` as a refusal where it is not there any more.
    public func reject(
        _ id: SuggestionID, in conversation: ConversationID, by author: Author
    ) async throws(BrokerError) {
        _ = try await commit(
            SettleSuggestion(id, in: conversation, as: .rejected, by: author, at: now()))
    }
}
