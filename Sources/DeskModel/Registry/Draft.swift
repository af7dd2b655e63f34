/// What an agent has begun to write in a conversation and not sent.
///
/// One for each agent and conversation, the same on every device of the agent. Its text and content are
/// an agent's words to a customer. They end when sent, when the membership ends, and after 90 days; an
/// erasure of messages leaves them.
public struct Draft: Hashable, Sendable {
    /// Longest kind in bytes.
    public static let maximumKindBytes = 32
    /// Characters of the text that a list of drafts shows.
    public static let shownCharacters = 200

    /// Whose it is; no other reads it.
    public let agent: AgentID
    /// The conversation's business.
    public let business: BusinessID
    /// Where it is to be sent.
    public let conversation: ConversationID
    /// Higher with each time it is saved; 0 is no draft's.
    public let version: Int64
    /// When it was saved.
    public let savedAt: Timestamp
    /// Which form of the composer it belongs to; the server does not read it.
    public let kind: String
    /// The text; may be empty.
    public let text: String
    /// A composed card, as a JSON object's text; nil for none.
    public let content: [UInt8]?

    /// Puts a draft together.
    public init(
        agent: AgentID, business: BusinessID, conversation: ConversationID, version: Int64,
        savedAt: Timestamp, kind: String, text: String, content: [UInt8]?
    ) {
        self.agent = agent
        self.business = business
        self.conversation = conversation
        self.version = version
        self.savedAt = savedAt
        self.kind = kind
        self.text = text
        self.content = content
    }

    /// The same draft under another version.
    package func versioned(_ version: Int64) -> Draft {
        Draft(
            agent: agent, business: business, conversation: conversation, version: version,
            savedAt: savedAt, kind: kind, text: text, content: content)
    }
}
