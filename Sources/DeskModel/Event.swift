/// What happened; dotted and past tense, the same in stream, WebSocket, webhook and export.
public enum EventType: String, Sendable, CaseIterable {
    /// A message was stored.
    case messageAccepted = "message.accepted"
    /// An upstream took a message.
    case messageDeliveredUpstream = "message.delivered_upstream"
    /// An upstream refused a message.
    case messageRefusedUpstream = "message.refused_upstream"
    /// A customer wrote for the first time.
    case conversationOpened = "conversation.opened"
    /// Someone took or gave a conversation, or put it back.
    case conversationAssigned = "conversation.assigned"
    /// The work is done.
    case conversationClosed = "conversation.closed"
    /// The conversation sleeps.
    case conversationSnoozed = "conversation.snoozed"
    /// The conversation waits for something outside.
    case conversationPending = "conversation.pending"
    /// The conversation is open again.
    case conversationReopened = "conversation.reopened"
    /// The customer deleted the conversation.
    case customerLeft = "customer.left"
    /// The customer wrote again after leaving.
    case customerReturned = "customer.returned"
    /// An agent left a note for colleagues.
    case noteAdded = "note.added"
    /// A template got a new version.
    case templatePublished = "template.published"
    /// An attempt to tell an outside party failed.
    case deliveryFailed = "delivery.failed"
    /// The last attempt failed.
    case deliveryDead = "delivery.dead"
    /// What lies in this place of the log is not what was written; told on replay, never stored.
    case eventDamaged = "event.damaged"

    /// Whether the customer's end may see events of this type.
    public var isForCustomer: Bool {
        switch self {
        case .messageAccepted, .eventDamaged: true
        case .messageDeliveredUpstream, .messageRefusedUpstream, .conversationOpened,
            .conversationAssigned, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationReopened, .customerLeft, .customerReturned,
            .noteAdded, .templatePublished, .deliveryFailed, .deliveryDead:
            false
        }
    }
}

/// What a conversation's event fixed about it.
public struct ConversationStep: Hashable, Sendable {
    /// Who did it.
    public let author: Author
    /// The state after it.
    public let state: ConversationState
    /// The assignee after it.
    public let assignee: AgentID?
    /// The wake-up time after it.
    public let snoozedUntil: Timestamp?

    /// Puts a step together.
    public init(
        author: Author, state: ConversationState, assignee: AgentID?, snoozedUntil: Timestamp?
    ) {
        self.author = author
        self.state = state
        self.assignee = assignee
        self.snoozedUntil = snoozedUntil
    }
}

/// What an event is about.
public enum EventBody: Hashable, Sendable {
    /// A message; its payload by reference when it is large.
    case message(StoredMessage)
    /// A change of the conversation.
    case conversation(ConversationStep)
    /// A note.
    case note(Note)
    /// A JSON object's text, for events of other parts of the server.
    case json([UInt8])
}

/// The log's unit.
public struct Event: Hashable, Sendable {
    /// The version of the event's shape.
    public static let schema = 1
    /// Payloads over this many bytes travel by reference.
    public static let maximumPayloadBytes = 32 * 1_024

    /// Its name for ever.
    public let id: EventID
    /// What happened.
    public let type: EventType
    /// When, by the wall clock.
    public let time: Timestamp
    /// To whose business.
    public let business: BusinessID
    /// The conversation it happened in: as of the commit when live, as of now when replayed.
    ///
    /// Its revision is always the one that this event made.
    public let conversation: Conversation?
    /// What it is about.
    public let body: EventBody

    /// Puts an event together.
    public init(
        id: EventID, type: EventType, time: Timestamp, business: BusinessID,
        conversation: Conversation?, body: EventBody
    ) {
        self.id = id
        self.type = type
        self.time = time
        self.business = business
        self.conversation = conversation
        self.body = body
    }

    /// The revision that it made of its conversation; nil outside of conversations, and for changes
    /// stored before revisions were counted.
    public var revision: Revision? {
        conversation.flatMap { $0.revision > .start ? $0.revision : nil }
    }

    /// The message's number, for events about a message.
    public var sequence: SequenceNumber? {
        switch body {
        case .message(let message): message.sequence
        case .conversation, .note, .json: nil
        }
    }
}

/// What those present are told and nobody keeps: typing and looking.
public struct Signal: Hashable, Sendable {
    /// What is signalled.
    public enum Kind: String, Sendable, CaseIterable {
        /// Someone writes, or stopped; both ends are told.
        case typing
        /// An agent looks; only the business's end is told.
        case presence
    }

    /// How it stands.
    public enum State: String, Sendable, CaseIterable {
        /// Typing began.
        case start
        /// Typing ended.
        case end
        /// An agent looks at the conversation.
        case looking
        /// An agent writes in the conversation.
        case writing
        /// An agent turned away.
        case idle
    }

    /// What is signalled.
    public let kind: Kind
    /// Whose conversation it is.
    public let business: BusinessID
    /// Where.
    public let conversation: ConversationID
    /// Who.
    public let who: Author
    /// How it stands.
    public let state: State

    /// Puts a signal together.
    public init(
        kind: Kind, business: BusinessID, conversation: ConversationID, who: Author, state: State
    ) {
        self.kind = kind
        self.business = business
        self.conversation = conversation
        self.who = who
        self.state = state
    }
}
