public import DeskModel
import DeskStore

/// Erasing by age: what a business has erased by itself when it is older than so many days.
///
/// Each call demands in its commit that the choice is still the one that the caller judged by: a caller that was frozen
/// since erases nothing for a choice that was withdrawn.
extension Broker {
    /// Erases messages of a conversation that are from before a moment, as the server.
    ///
    /// What is erased already stays as it is. The cost grows with the number of the conversation's messages.
    /// - Parameter objects: what the gateway keeps of them; ended in the same commit.
    /// - Returns: how many were erased by this call.
    /// - Throws: `notFound` as a refusal, `preconditionFailed` as one where the business has chosen otherwise since,
    ///   `damaged` where the conversation cannot be read.
    public func erase(
        _ messages: [MessageID], in conversation: ConversationID, olderThan limit: Timestamp,
        by choice: Retention, objects: [String] = []
    ) async throws(BrokerError) -> Int {
        let order = Erasing(
            messages, in: conversation, by: .server, at: now(), olderThan: limit,
            objects: objects)
        return try await commit(order, after: [.requireRetention(choice)]).count
    }

    /// Empties the texts of notes of a conversation, at most `NoteErasing.mostAtOnce`.
    ///
    /// - Returns: how many were emptied by this call.
    /// - Throws: as for messages.
    public func erase(
        _ notes: [NoteID], in conversation: ConversationID, by choice: Retention
    ) async throws(BrokerError) -> Int {
        let order = NoteErasing(notes, in: conversation, at: now())
        return try await commit(order, after: [.requireRetention(choice)]).count
    }
}
