import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// What a query says of a send beside the payload.
struct SendQuery {
    /// The parameters that every route that sends one message knows.
    static let names = ["delay", "draft", "ifLastSequence", "suggestion"]

    /// For how long its author may withdraw the message; nil to send it at once.
    let delay: Duration?
    /// The draft that is sent, and goes with the message's commit.
    let draft: SentDraft?
    /// The suggestion that the message was made of, which is settled with the message's commit.
    let suggestion: SuggestionID?
    /// The last message that the sender has seen: nothing is sent where another answered after it.
    let lastSeen: SequenceNumber?

    /// Reads a query.
    ///
    /// - Throws: `invalid` for numbers that are none, and for a draft of a caller who has none.
    init(
        _ query: Query, in conversation: ConversationID, by principal: Principal
    ) throws(Problem) {
        let version = try query.number("draft", allowed: "the version of a saved draft")
        switch (version, principal) {
        case (nil, _): draft = nil
        case (let version?, .agent(let agent)):
            draft = SentDraft(agent: agent.agent.id, conversation: conversation, version: version)
        case (.some, .key), (.some, .sandbox), (.some, .customer):
            throw Problem(
                parameter: "draft", in: query,
                allowed: "nothing: only a signed-in agent has drafts")
        }
        let seconds = try query.number(
            "delay", allowed: "seconds from 0 to \(AgentPreferences.longestSendDelay)")
        if let seconds, seconds > 0 {
            guard seconds <= AgentPreferences.longestSendDelay, case .agent = principal else {
                throw Problem(
                    parameter: "delay", in: query,
                    allowed: "an agent's seconds from 0 to \(AgentPreferences.longestSendDelay)")
            }
            delay = .seconds(seconds)
        } else {
            delay = nil
        }
        suggestion = try query["suggestion"].map { text throws(Problem) in
            guard let id = SuggestionID(text) else {
                throw Problem(
                    parameter: "suggestion", in: query, allowed: "the id of a suggestion")
            }
            return id
        }
        lastSeen = try query.number("ifLastSequence", allowed: "the number of a message")
            .map { SequenceNumber($0) }
    }
}
