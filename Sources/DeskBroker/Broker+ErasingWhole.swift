public import DeskModel
import DeskStore

/// Pieces of the erasure of a whole conversation or person: each is one commit, and finds what an earlier one left.
extension Broker {
    /// Erases the content of some messages of a conversation, at most `Erasing.mostAtOnce`.
    ///
    /// - Parameter objects: what the gateway keeps of them; ended in the same commit.
    /// - Returns: how many were erased by this call.
    /// - Throws: `notFound` as a refusal.
    public func erase(
        _ messages: [MessageID], in conversation: ConversationID, by author: Author,
        objects: [String] = []
    ) async throws(BrokerError) -> Int {
        let order = Erasing(
            messages, in: conversation, by: author, at: now(), objects: objects)
        return try await commit(order).count
    }

    /// Empties the texts of some notes of a conversation, by any authors, at most `NoteErasing.mostAtOnce`.
    ///
    /// - Returns: how many were emptied by this call.
    /// - Throws: `notFound` or `onHold` as refusals.
    public func erase(
        _ notes: [NoteID], in conversation: ConversationID
    ) async throws(BrokerError) -> Int {
        try await commit(NoteErasing(notes, in: conversation, at: now())).count
    }

    /// Erases what lies beside the messages and notes of a conversation.
    ///
    /// - Throws: `notFound` or `onHold` as refusals.
    public func eraseRest(
        of conversation: ConversationID, by author: Author, isBeginning: Bool
    ) async throws(BrokerError) -> Conversation {
        try await commit(
            ConversationErasing(conversation, by: author, at: now(), isBeginning: isBeginning))
    }

    /// Erases what a business knows of a person, and publishes that.
    ///
    /// - Throws: `notFound`, `alreadyMerged` or `onHold` as refusals.
    public func erase(
        _ contact: ContactID, of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Contact {
        try await commit(ContactErasing(contact, of: business, by: author, at: now()))
    }

    /// Empties what events at some positions say of a person.
    ///
    /// - Throws: `notFound` or `onHold` as refusals.
    public func eraseContactEvents(
        at positions: [Position], about contacts: [ContactID], of business: BusinessID
    ) async throws(BrokerError) {
        try await commit(ContactEventErasing(positions, about: contacts, of: business))
    }
}
