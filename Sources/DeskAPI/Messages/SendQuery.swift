import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// What a query says of a send beside the payload.
struct SendQuery {
    /// The parameters that every route that sends one message knows.
    static let names = ["delay", "sendAt", "draft", "ifLastSequence", "suggestion"]
    /// Days that a message may wait for its time at most.
    static let longestDays = 366

    /// When it is sent, and until when its author may withdraw it; nil to send it at once.
    let dueAt: Timestamp?
    /// The draft that is sent, and goes with the message's commit.
    let draft: SentDraft?
    /// The suggestion that the message was made of, which is settled with the message's commit.
    let suggestion: SuggestionID?
    /// The last message that the sender has seen: nothing is sent where another answered after it.
    let lastSeen: SequenceNumber?

    /// Reads a query.
    ///
    /// - Throws: `invalid` for numbers and times that are none, and for a draft of a caller who has none.
    init(
        _ query: Query, in conversation: ConversationID, by principal: Principal, now: Timestamp
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
        dueAt = try Self.dueAt(query, by: principal, now: now)
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

    private static func dueAt(
        _ query: Query, by principal: Principal, now: Timestamp
    ) throws(Problem) -> Timestamp? {
        let longest = AgentPreferences.longestSendDelay
        let seconds = try query.number("delay", allowed: "seconds from 0 to \(longest)")
        let mayWait = principal.isMember
        if let seconds, seconds > 0, seconds > longest || !mayWait {
            throw Problem(
                parameter: "delay", in: query,
                allowed: mayWait ? "seconds from 0 to \(longest)" : "0: the sandbox sends at once")
        }
        guard let text = query["sendAt"] else {
            return seconds.flatMap { $0 > 0 ? now.advanced(by: .seconds($0)) : nil }
        }
        guard seconds == nil else {
            throw Problem(
                parameter: "sendAt", in: query, allowed: "delay or sendAt, not both",
                fix: "Take one of them out.")
        }
        let last = now.advanced(by: .seconds(longestDays * 86_400))
        guard mayWait, let time = Timestamp(text), time > now, time <= last else {
            throw Problem(
                parameter: "sendAt", in: query,
                allowed: mayWait
                    ? "a time after now and at most \(longestDays) days ahead, such as "
                        + "\(now.advanced(by: .seconds(86_400)).text)"
                    : "nothing: the sandbox sends at once")
        }
        return time
    }
}
