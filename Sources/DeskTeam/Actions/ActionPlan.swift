public import DeskModel
public import DeskStore

/// What actions write into a conversation, and what came of each of them.
public struct ActionPlan: Sendable {
    /// What came of one action.
    public struct Result: Hashable, Sendable {
        /// Whether it changes what was seen of the conversation, or writes into it.
        public let isChange: Bool
        /// The message that it sends.
        public let message: MessageID?
    }

    /// The steps of one group, in order.
    public private(set) var steps: [Write] = []
    /// One for each action.
    public private(set) var results: [Result] = []
    /// Whether nothing is sent; a note stays when the rest is undone.
    public private(set) var canBeUndone = true
    private var seen: Conversation
    private let handling: Set<Role>
    private let author: Author
    private let time: Timestamp

    /// Plans actions for a conversation as it was seen.
    ///
    /// - Parameter handling: the roles of those to whom it can be assigned.
    /// - Parameter caller: to whom `assign(.caller)` assigns; with nil that does nothing.
    /// - Parameter makeID: makes the id of a note.
    /// - Parameter message: judges a template for the conversation.
    /// - Throws: what `message` throws.
    public init<Failure: Error>(
        _ actions: [TeamAction], for conversation: Conversation, by author: Author,
        caller: AgentID?, handling: Set<Role>, at time: Timestamp, makeID: () -> UniqueID,
        message: (TemplateName, [UInt8]) async throws(Failure) -> Submission
    ) async throws(Failure) {
        seen = conversation
        self.author = author
        self.handling = handling
        self.time = time
        for action in actions {
            switch action {
            case .send(let name, let values):
                let submission = try await message(name, values)
                steps.append(.message(NewMessage(submission, at: time)))
                canBeUndone = false
                results.append(Result(isChange: true, message: submission.id))
            case .note(let text):
                let note = AddNote(
                    NoteID(makeID()), to: conversation.id, text: text, by: author, at: time)
                steps.append(.note(note))
                results.append(Result(isChange: true, message: nil))
            case .assign(.caller): change(caller.map { .assign($0) })
            case .assign(.nobody): change(.assign(nil))
            case .assign(.agent(let agent)): change(.assign(agent))
            case .move(let team): change(.move(to: team))
            case .label(let add, let remove): change(.label(add: add, remove: remove))
            case .prioritize(let priority): change(.prioritize(priority))
            case .enter(let state): change(ConversationChange(entering: state, until: nil))
            case .snooze(let minutes):
                change(.snooze(until: minutes.map { time.advanced(by: .seconds($0 * 60)) }))
            }
        }
    }

    private mutating func change(_ change: ConversationChange?) {
        guard let change else {
            results.append(Result(isChange: false, message: nil))
            return
        }
        if case .assign(let agent?) = change {
            steps.append(.requireMember(agent, of: seen.business, in: handling))
        }
        steps.append(.change(ChangeConversation(seen.id, change, by: author, at: time)))
        results.append(Result(isChange: seen.take(change) != nil, message: nil))
    }
}
