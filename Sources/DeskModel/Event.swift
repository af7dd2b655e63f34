/// What happened; dotted and past tense, the same in stream, WebSocket, webhook and export.
public enum EventType: Hashable, Sendable {
    /// A message was stored.
    case messageAccepted
    /// A message's content was erased; its number, time, direction and kind stay.
    case messageErased
    /// An upstream accepted a message.
    case messageDeliveredUpstream
    /// An upstream refused a message.
    case messageRefusedUpstream
    /// A customer wrote for the first time.
    case conversationOpened
    /// A conversation was assigned, or its assignment was removed.
    case conversationAssigned
    /// A conversation's priority was changed.
    case conversationPriorityChanged
    /// Labels were added to a conversation or removed.
    case conversationLabelsChanged
    /// The work is done.
    case conversationClosed
    /// The conversation sleeps.
    case conversationSnoozed
    /// The conversation waits for something outside.
    case conversationPending
    /// The conversation is open again.
    case conversationReopened
    /// The customer deleted the conversation.
    case customerLeft
    /// The customer wrote again after leaving.
    case customerReturned
    /// An agent left a note for colleagues.
    case noteAdded
    /// A template got a new version.
    case templatePublished
    /// A business's label was made or changed.
    case labelSaved
    /// An attempt to send to a delivery target failed.
    case deliveryFailed
    /// The last attempt failed.
    case deliveryDead
    /// The stored row of this position is damaged; replay says so, and it is never stored.
    case eventDamaged
    /// A type that this program does not know: a later one wrote it. It is passed on as it is.
    case other(OtherEventType)

    /// The types that this program knows.
    public static let known: [EventType] = [
        .messageAccepted, .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
        .conversationOpened,
        .conversationAssigned, .conversationPriorityChanged, .conversationLabelsChanged,
        .conversationClosed, .conversationSnoozed, .conversationPending, .labelSaved,
        .conversationReopened, .customerLeft, .customerReturned, .noteAdded, .templatePublished,
        .deliveryFailed, .deliveryDead, .eventDamaged,
    ]

    /// The type's text.
    public var rawValue: String {
        switch self {
        case .messageAccepted: "message.accepted"
        case .messageErased: "message.erased"
        case .messageDeliveredUpstream: "message.delivered_upstream"
        case .messageRefusedUpstream: "message.refused_upstream"
        case .conversationOpened: "conversation.opened"
        case .conversationAssigned: "conversation.assigned"
        case .conversationPriorityChanged: "conversation.priority_changed"
        case .conversationLabelsChanged: "conversation.labels_changed"
        case .labelSaved: "label.saved"
        case .conversationClosed: "conversation.closed"
        case .conversationSnoozed: "conversation.snoozed"
        case .conversationPending: "conversation.pending"
        case .conversationReopened: "conversation.reopened"
        case .customerLeft: "customer.left"
        case .customerReturned: "customer.returned"
        case .noteAdded: "note.added"
        case .templatePublished: "template.published"
        case .deliveryFailed: "delivery.failed"
        case .deliveryDead: "delivery.dead"
        case .eventDamaged: "event.damaged"
        case .other(let type): type.text
        }
    }

    /// Reads a type's text; nil for one that no type can have.
    public init?(rawValue: String) {
        switch rawValue {
        case "message.accepted": self = .messageAccepted
        case "message.erased": self = .messageErased
        case "message.delivered_upstream": self = .messageDeliveredUpstream
        case "message.refused_upstream": self = .messageRefusedUpstream
        case "conversation.opened": self = .conversationOpened
        case "conversation.assigned": self = .conversationAssigned
        case "conversation.priority_changed": self = .conversationPriorityChanged
        case "conversation.labels_changed": self = .conversationLabelsChanged
        case "label.saved": self = .labelSaved
        case "conversation.closed": self = .conversationClosed
        case "conversation.snoozed": self = .conversationSnoozed
        case "conversation.pending": self = .conversationPending
        case "conversation.reopened": self = .conversationReopened
        case "customer.left": self = .customerLeft
        case "customer.returned": self = .customerReturned
        case "note.added": self = .noteAdded
        case "template.published": self = .templatePublished
        case "delivery.failed": self = .deliveryFailed
        case "delivery.dead": self = .deliveryDead
        case "event.damaged": self = .eventDamaged
        default:
            guard let other = OtherEventType(rawValue) else { return nil }
            self = .other(other)
        }
    }

    /// Whether the customer's side may see events of this type; never those of an unknown one.
    public var isForCustomer: Bool {
        switch self {
        case .messageAccepted, .eventDamaged: true
        case .messageErased, .messageDeliveredUpstream, .messageRefusedUpstream,
            .conversationOpened, .conversationAssigned, .conversationPriorityChanged,
            .conversationLabelsChanged, .labelSaved, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationReopened, .customerLeft, .customerReturned,
            .noteAdded, .templatePublished, .deliveryFailed, .deliveryDead, .other:
            false
        }
    }

    /// Whether a thread shows events of this type between its messages: who changed what, and when.
    public var isOfThread: Bool {
        switch self {
        case .conversationOpened, .conversationAssigned, .conversationPriorityChanged,
            .conversationLabelsChanged, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationReopened, .customerLeft,
            .customerReturned, .other:
            true
        case .messageAccepted, .messageErased, .messageDeliveredUpstream,
            .messageRefusedUpstream, .noteAdded, .templatePublished, .labelSaved, .deliveryFailed,
            .deliveryDead, .eventDamaged:
            false
        }
    }

    /// Whether an event of this type fixes a step of its conversation.
    public var hasStep: Bool {
        switch self {
        case .conversationOpened, .conversationAssigned, .conversationPriorityChanged,
            .conversationLabelsChanged, .conversationClosed, .conversationSnoozed,
            .conversationPending, .conversationReopened, .customerLeft,
            .customerReturned:
            true
        case .messageAccepted, .messageErased, .messageDeliveredUpstream,
            .messageRefusedUpstream, .noteAdded,
            .templatePublished, .labelSaved, .deliveryFailed, .deliveryDead, .eventDamaged,
            .other:
            false
        }
    }
}

/// The text of an event's type that this program does not know.
public struct OtherEventType: Hashable, Sendable {
    /// Longest text in bytes; a longer one is none that a program wrote.
    public static let maximumBytes = 64

    /// Lower-case letters, digits, `_` and `.`, beginning with a letter.
    public let text: String

    fileprivate init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumBytes, let first = bytes.first,
            (0x61...0x7A).contains(first),
            bytes.allSatisfy({ byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        self.text = text
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
    /// What it was before, where the state does not say it; nil also for events from before it was
    /// kept.
    public let change: StepChange?

    /// Puts a step together.
    public init(
        author: Author, state: ConversationState, assignee: AgentID?, snoozedUntil: Timestamp?,
        change: StepChange? = nil
    ) {
        self.author = author
        self.state = state
        self.assignee = assignee
        self.snoozedUntil = snoozedUntil
        self.change = change
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

/// A signal to the readers who are connected now, never stored: typing, presence, saved drafts.
public struct Signal: Hashable, Sendable {
    /// What is signalled.
    public enum Kind: String, Sendable, CaseIterable {
        /// A person writes, or stopped; customer side and business side receive it.
        case typing
        /// An agent looks; only the business side receives it.
        case presence
        /// A draft was saved or removed; only its agent's own pages receive it.
        case draft
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
        /// An agent turned away.
        case idle
        /// A draft was saved.
        case saved
        /// A draft was removed, or sent.
        case removed
    }

    /// What is signalled.
    public let kind: Kind
    /// Whose conversation it is.
    public let business: BusinessID
    /// Where.
    public let conversation: ConversationID
    /// Who.
    public let who: Author
    /// What the signal reports.
    public let state: State
    /// The version of a draft; nil of all else.
    public let version: Int64?

    /// Puts a signal together.
    public init(
        kind: Kind, business: BusinessID, conversation: ConversationID, who: Author, state: State,
        version: Int64? = nil
    ) {
        self.version = version
        self.kind = kind
        self.business = business
        self.conversation = conversation
        self.who = who
        self.state = state
    }
}
