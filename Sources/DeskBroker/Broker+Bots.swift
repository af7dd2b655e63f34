public import DeskModel
public import DeskStore

/// Bots of businesses, and who controls conversations.
extension Broker {
    /// Registers a bot of a business, and publishes it.
    ///
    /// - Throws: `notFound`, `nameTaken` or `unusable` as refusals.
    public func makeBot(
        _ values: SaveBot.Values, of business: BusinessID, by author: Author
    ) async throws(BrokerError) -> Bot {
        try await commit(
            SaveBot(BotID(makeID()), of: business, isNew: true, values, by: author, at: now()))
    }

    /// Changes a bot of a business; a change to what it is already publishes nothing.
    ///
    /// - Throws: `notFound` or `nameTaken` as refusals.
    public func change(
        _ bot: BotID, of business: BusinessID, _ values: SaveBot.Values, by author: Author
    ) async throws(BrokerError) -> Bot {
        try await commit(SaveBot(bot, of: business, isNew: false, values, by: author, at: now()))
    }

    /// Passes control of a conversation on, offers it, accepts an offer, steps in or releases; the summary becomes
    /// a note of the same commit.
    ///
    /// - Throws: `notFound`, `unusable` or `notInControl` as refusals; then there is no note either.
    public func control(
        _ conversation: ConversationID, _ action: ChangeControl.Action, to target: Controller?,
        isFailure: Bool = false, metadata: [UInt8]? = nil, summary: String? = nil,
        permitted: Set<Role>, by author: Author
    ) async throws(BrokerError) -> Control {
        let time = now()
        let note = summary.map {
            AddNote(NoteID(makeID()), to: conversation, text: $0, by: author, at: time)
        }
        return try await commit(
            ChangeControl(
                action, of: conversation, to: target, isFailure: isFailure, metadata: metadata,
                note: note?.id, permitted: permitted, by: author, at: time),
            after: note.map { [.note($0)] } ?? [])
    }

    /// Hands a conversation to people because its bot did not answer in time.
    ///
    /// - Throws: `notFound` as a refusal where the bot answered meanwhile, or another process did it.
    public func endBotWait(_ control: Control) async throws(BrokerError) {
        try await commit(EndBotWait(control, at: now()))
    }
}
