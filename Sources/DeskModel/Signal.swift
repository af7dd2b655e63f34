/// A signal to the readers who are connected now, never stored: typing, presence, what was saved.
public struct Signal: Hashable, Sendable {
    /// What is signalled.
    public enum Kind: String, Sendable, CaseIterable {
        /// A person writes, or stopped; customer side and business side receive it.
        case typing
        /// The business read what the customer wrote; only links receive it, no stream does.
        case read
        /// An agent looks; only the business side receives it.
        case presence
        /// Whether an agent is there at all; only the business side receives it.
        case availability
        /// What an agent chose of being there; only the agent's own pages receive it.
        case choice
        /// A draft was saved or removed; only its agent's own pages receive it.
        case draft
        /// An agent's choices were saved; only the agent's own pages receive it.
        case preferences
        /// A view of an agent's own was saved or removed; only the agent's own pages receive it.
        case view
        /// A rule of the business was saved or removed; only the business side receives it.
        case rule
        /// A request for approval was made or decided; only the business side receives it.
        case approval
    }

    /// What the signal reports.
    public enum State: String, Sendable, CaseIterable {
        /// Typing began.
        case start
        /// Typing ended.
        case end
        /// An agent looks at the conversation.
        case looking
        /// An agent writes in the conversation.
        case writing
        /// An agent is at the conversation, or at a page, and idle.
        case away
        /// An agent turned away from the conversation.
        case idle
        /// An agent is there.
        case online
        /// An agent is there, and not to be disturbed.
        case busy
        /// An agent wants to look offline; others never receive it.
        case invisible
        /// An agent is not there.
        case offline
        /// A draft, choices, a view, a rule or a request for approval was saved.
        case saved
        /// A draft, a view or a rule was removed, or a draft was sent.
        case removed
    }

    /// What is signalled.
    public let kind: Kind
    /// Whose conversation it is.
    public let business: BusinessID
    /// Where; nil of all that is about no conversation.
    public let conversation: ConversationID?
    /// Who.
    public let who: Author
    /// What the signal reports.
    public let state: State
    /// The version of a draft or of a choice; nil of all else.
    public let version: Int64?

    /// Puts a signal together.
    public init(
        kind: Kind, business: BusinessID, conversation: ConversationID?, who: Author, state: State,
        version: Int64? = nil
    ) {
        self.version = version
        self.kind = kind
        self.business = business
        self.conversation = conversation
        self.who = who
        self.state = state
    }

    /// That something was saved, or removed, which other pages show: they read it again.
    public static func saved(
        _ kind: Kind, _ state: State = .saved, in business: BusinessID, by who: Author
    ) -> Signal {
        Signal(kind: kind, business: business, conversation: nil, who: who, state: state)
    }
}
