public import DeskModel
import DeskStore

extension Broker {
    /// Erases the content of a message of a conversation; one that is erased already stays as it is.
    ///
    /// The cost grows with the number of the conversation's messages.
    /// - Returns: whether it was erased by this call.
    /// - Throws: `notFound` as a refusal.
    public func erase(
        _ message: MessageID, in conversation: ConversationID, by author: Author
    ) async throws(BrokerError) -> Bool {
        let order = Erasing([message], in: conversation, by: author, at: now())
        return try await !commit(order).isEmpty
    }
}
