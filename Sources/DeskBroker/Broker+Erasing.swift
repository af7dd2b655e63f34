public import DeskModel
import DeskStore

extension Broker {
    /// Erases the content of a message of a conversation; one that is erased already stays as it is.
    ///
    /// The cost grows with the number of the conversation's messages.
    /// - Parameter objects: what the gateway keeps of it; ended in the same commit, also where it is erased already.
    /// - Returns: whether it was erased by this call.
    /// - Throws: `notFound` as a refusal.
    public func erase(
        _ message: MessageID, in conversation: ConversationID, by author: Author,
        objects: [String] = []
    ) async throws(BrokerError) -> Bool {
        let order = Erasing(
            [message], in: conversation, by: author, at: now(), objects: objects)
        return try await !commit(order).isEmpty
    }
}
