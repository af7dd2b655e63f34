/// An answer that a program or a model suggests in a conversation, for an agent to send, edit or reject.
///
/// It is one of the conversation's, seen by every member on every node, and it is never sent by itself. Its
/// payload is words for a customer; it ends when an agent decides, when content of its conversation is erased,
/// and after `daysKept`.
public struct Suggestion: Hashable, Sendable {
    /// Most suggestions of a conversation that wait for an agent; one more is refused.
    public static let mostPerConversation = 10
    /// Largest payload in bytes; a larger one is refused.
    public static let maximumPayloadBytes = 65_536
    /// Longest remark in bytes of UTF-8.
    public static let maximumRemarkBytes = 1_000
    /// Days after which one is deleted on which no agent decided.
    public static let daysKept = 30

    /// Its name on the server.
    public let id: SuggestionID
    /// The conversation's business.
    public let business: BusinessID
    /// Where it is to be sent.
    public let conversation: ConversationID
    /// Who asked for it: an agent who asked the model, or the key of a program.
    public let author: Author
    /// When it was stored.
    public let createdAt: Timestamp
    /// The name of the model that wrote it; nil where a program did.
    public let model: String?
    /// What it is.
    public let kind: MessageKind
    /// The line for lists.
    public let summary: String
    /// What its writer says about it, for the agent alone; nil for nothing.
    public let remark: String?
    /// The message as JSON, without id and addresses.
    public let payload: [UInt8]

    /// Puts a suggestion together.
    public init(
        id: SuggestionID, business: BusinessID, conversation: ConversationID, author: Author,
        createdAt: Timestamp, model: String?, kind: MessageKind, summary: String, remark: String?,
        payload: [UInt8]
    ) {
        self.id = id
        self.business = business
        self.conversation = conversation
        self.author = author
        self.createdAt = createdAt
        self.model = model
        self.kind = kind
        self.summary = summary
        self.remark = remark
        self.payload = payload
    }

    /// What an agent decided.
    public enum Outcome: String, Sendable, CaseIterable {
        /// It was sent as it was.
        case sent
        /// It was changed and sent.
        case edited
        /// It was put away.
        case rejected
    }
}
