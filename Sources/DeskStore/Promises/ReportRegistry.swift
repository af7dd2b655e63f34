public import DeskModel

/// What a number of a report is counted under.
public struct ReportKey: Hashable, Sendable {
    /// The length of a slot: every time zone's days and hours begin with one.
    public static let slot = Duration.seconds(900)

    /// Whose work it is.
    public let business: BusinessID
    /// What is counted by.
    public let dimension: ReportDimension
    /// Which of them: an agent's id, a kind's word.
    public let member: String
    /// When the slot began, in which it happened.
    public let slot: Timestamp

    /// Puts a key together.
    public init(
        of business: BusinessID, _ dimension: ReportDimension, _ member: String, slot: Timestamp
    ) {
        self.business = business
        self.dimension = dimension
        self.member = member
        self.slot = slot
    }

    /// The beginning of the slot that a moment is in.
    public static func slot(of time: Timestamp) -> Timestamp {
        let length: Int64 = 900_000
        let rest = time.milliseconds % length
        return Timestamp(milliseconds: time.milliseconds - (rest < 0 ? rest + length : rest))
    }
}

/// What the counters have to know of a conversation, as of their reader's cursor.
///
/// The conversation beside a replayed event is as of now, so that nothing is counted from it.
public struct ReportState: Hashable, Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// Whose it is.
    public let business: BusinessID
    /// When the work in it began; nil while it is closed.
    public var begunAt: Timestamp?
    /// Since when the customer waits for the first answer.
    public var asksSince: Timestamp?
    /// Whether the first answer was given since the work began; of what is closed, before that.
    public var isAnswered = false
    /// Since when the customer waits.
    public var waitsSince: Timestamp?
    /// The text of the `ReportEntry` by which the customer came.
    public var entry: String?
    /// The team that looks after it.
    public var team: TeamID?
    /// Its labels.
    public var labels: [LabelID] = []
    /// The customer's next message, where it answers a question about satisfaction and begins nothing.
    public var rating: MessageID?

    /// A conversation in which nothing was counted yet.
    public init(_ conversation: ConversationID, of business: BusinessID) {
        self.conversation = conversation
        self.business = business
    }
}

/// A card that was sent, until it is answered and no payment is awaited any more.
public struct ReportCard: Hashable, Sendable {
    /// Names a card.
    public struct Name: Hashable, Sendable {
        /// Where it was sent.
        public let conversation: ConversationID
        /// The message that it is.
        public let message: MessageID

        /// Puts a name together.
        public init(_ message: MessageID, in conversation: ConversationID) {
            self.conversation = conversation
            self.message = message
        }
    }

    /// Its name.
    public let name: Name
    /// What it is.
    public let kind: MessageKind
    /// The agent who sent it; nil for all others.
    public let agent: AgentID?
    /// The beginning of the slot in which it was sent.
    public let slot: Timestamp
    /// Whether it was answered.
    public var isAnswered = false

    /// A card that was just sent.
    public init(_ name: Name, _ kind: MessageKind, by agent: AgentID?, slot: Timestamp) {
        self.name = name
        self.kind = kind
        self.agent = agent
        self.slot = slot
    }
}

/// What a batch of events changes of the reports.
public struct ReportChange: Hashable, Sendable {
    /// Whether everything counted before is deleted first: the log is read from its beginning.
    public var isAnew = false
    /// What is added to the counters.
    public var counts: [ReportKey: ReportCounts] = [:]
    /// The states as they are after the batch.
    public var states: [ReportState] = []
    /// Cards that were sent or answered.
    public var cards: [ReportCard] = []
    /// Cards that nothing more is counted of.
    public var finished: [ReportCard.Name] = []

    /// Changes nothing.
    public init() {}
}

/// What happened in a slot.
public struct ReportSlot: Hashable, Sendable {
    /// When the slot began.
    public let begin: Timestamp
    /// What happened in it.
    public let counts: ReportCounts

    /// Puts a slot together.
    public init(_ begin: Timestamp, _ counts: ReportCounts) {
        self.begin = begin
        self.counts = counts
    }
}

/// What a member of a dimension has of a time.
public struct ReportMember: Hashable, Sendable {
    /// Which.
    public let member: String
    /// What happened.
    public let counts: ReportCounts

    /// Puts a member together.
    public init(_ member: String, _ counts: ReportCounts) {
        self.member = member
        self.counts = counts
    }
}

/// The counters that reports are made of; their reader alone writes them (`ReaderWrites.reports`).
///
/// They hold no content of customers but the intent and the group of the link that led to a business.
public protocol ReportRegistry: Sendable {
    /// What the counters know of some conversations; those of which they know nothing are left out.
    func reportStates(of conversations: [ConversationID]) async throws(StoreError) -> [ReportState]

    /// The cards of some names; those that are not kept are left out.
    func reportCards(_ names: [ReportCard.Name]) async throws(StoreError) -> [ReportCard]

    /// What happened in each slot from a moment until before another one; slots without anything are
    /// left out.
    ///
    /// Order: by time.
    func reportSlots(
        of business: BusinessID, _ dimension: ReportDimension, _ member: String,
        from begin: Timestamp, until end: Timestamp
    ) async throws(StoreError) -> [ReportSlot]

    /// What each member of a dimension has of a time.
    ///
    /// Order: by messages and beginnings, most first. Limit: `limit` members.
    func reportMembers(
        of business: BusinessID, _ dimension: ReportDimension,
        from begin: Timestamp, until end: Timestamp, limit: Int
    ) async throws(StoreError) -> [ReportMember]
}
