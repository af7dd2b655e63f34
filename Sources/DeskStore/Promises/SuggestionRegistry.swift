public import DeskModel

/// The answers that are suggested in conversations; they are added and settled through the log.
public protocol SuggestionRegistry: Sendable {
    /// Lists the suggested answers of a conversation that wait for an agent, the oldest first.
    ///
    /// Limit: `Suggestion.mostPerConversation`.
    func suggestions(in conversation: ConversationID) async throws(StoreError) -> [Suggestion]
    /// Deletes the suggested answers that were stored before a moment.
    func pruneSuggestions(before time: Timestamp) async throws(StoreError)
}

/// Suggests an answer in a conversation.
///
/// Refused as `notFound` without the conversation in the suggestion's business, as `customerLeft` when
/// nothing can be answered there, as `messageErased` where a message that it may repeat was erased, and as
/// `unusable` where `Suggestion.mostPerConversation` wait already.
public struct AddSuggestion: WriteStep {
    let suggestion: Suggestion
    let messages: [MessageID]

    /// Says what is suggested where, by whom and when; `messages` are those that its writer read.
    public init(_ suggestion: Suggestion, quoting messages: [MessageID] = []) {
        self.suggestion = suggestion
        self.messages = messages
    }

    /// Answers with the suggestion.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Suggestion {
        try decision.add(self)
    }
}

/// Notes what an agent did with a suggested answer, which is then gone.
///
/// Refused as `suggestionSettled` where it is not there any more: of two agents one decides.
public struct SettleSuggestion: WriteStep {
    let id: SuggestionID
    let conversation: ConversationID
    let outcome: Suggestion.Outcome
    let message: MessageID?
    let author: Author
    let time: Timestamp

    /// Says who decided what; `message` is what was sent.
    public init(
        _ id: SuggestionID, in conversation: ConversationID, as outcome: Suggestion.Outcome,
        message: MessageID? = nil, by author: Author, at time: Timestamp
    ) {
        self.id = id
        self.conversation = conversation
        self.outcome = outcome
        self.message = message
        self.author = author
        self.time = time
    }

    /// Answers with the suggestion as it was.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Suggestion {
        try decision.settle(self)
    }
}
