public import DeskModel

/// Which conversations a list shows.
public struct ConversationFilter: Hashable, Sendable {
    /// By their assignment.
    public enum Care: Hashable, Sendable {
        /// Looked after by one agent.
        case mine(AgentID)
        /// Assigned to no agent, and with no bot that has control.
        case unassigned
        /// With a bot that has control.
        case withBot
        /// With a note that mentions an agent.
        case mentioning(AgentID)
        /// All of them.
        case all

        /// The agent whom it names.
        package var agent: AgentID? {
            switch self {
            case .mine(let agent), .mentioning(let agent): agent
            case .unassigned, .withBot, .all: nil
            }
        }
    }

    /// How a customer is reached.
    public enum Channel: String, Sendable, CaseIterable {
        /// By the server's own page.
        case phone
        /// Over an upstream gateway.
        case upstream
    }

    /// The order of a list by the newest events of its conversations.
    public enum Order: String, Sendable, CaseIterable {
        /// The newest first.
        case newest
        /// The oldest first.
        case oldest
    }

    /// The businesses that the reader may see.
    public var businesses: Set<BusinessID>
    /// By their assignment.
    public var care: Care
    /// Their states; nil for any.
    public var states: Set<ConversationState>?
    /// By their team: nil for any, and none for those without.
    public var team: TeamID??
    /// Labels that they have, all of them; none for any.
    public var labels: [LabelID] = []
    /// Their priorities; none for any.
    public var priorities: Set<Priority> = []
    /// Values of their attributes, all of them; none for any.
    public var attributes: [String: AttributeValue] = [:]
    /// How their customers are reached; nil for any way.
    public var channel: Channel?
    /// The language of their customers' devices, such as `ja`, in lower case; nil for any.
    public var language: String?
    /// What their customers came for, as the entry link says it; nil for any.
    public var intent: String?
    /// The group of the business that their customers came to, as the entry link says it; nil for any.
    public var group: String?
    /// Those of which the list is made; nil for all.
    public var among: Set<ConversationID>?
    /// Only those whose newest event is after this one; nil for all.
    public var updatedAfter: Position?
    /// Their order; those who wait are always listed with the longest waiter first.
    public var order = Order.newest

    /// Puts a filter together.
    public init(
        businesses: Set<BusinessID>, care: Care = .all, states: Set<ConversationState>? = nil
    ) {
        self.businesses = businesses
        self.care = care
        self.states = states
    }
}

/// Bounds of looking for customers by their names.
public enum NameSearch {
    /// Names with the longest of the words that are looked at; those beyond are not found.
    public static let maximumNames = 20_000
    /// Conversations found at most before they are sorted; beyond this some are left out.
    public static let maximumFound = 1_000
    /// Words of one name that can be found.
    package static let maximumWords = 64
}

/// One page of something, with whether there is more.
public struct Page<Element: Sendable>: Sendable {
    /// What the page holds.
    public let elements: [Element]
    /// Whether the list has more beyond the page: behind it, or before it where it was read backward.
    public let hasMore: Bool
    /// Of a thread: the numbers in this range whose messages are damaged and not served.
    public let damaged: [SequenceNumber]

    /// Puts a page together.
    public init(elements: [Element], hasMore: Bool, damaged: [SequenceNumber] = []) {
        self.elements = elements
        self.hasMore = hasMore
        self.damaged = damaged
    }
}

/// Which range of a thread a page shows.
public enum ThreadRange: Hashable, Sendable {
    /// The newest messages.
    case newest
    /// The messages just before a number.
    case before(SequenceNumber)
    /// The messages just after a number.
    case after(SequenceNumber)
}

/// An event of a conversation that its thread shows between the messages.
public struct ThreadEvent: Hashable, Sendable {
    /// Its name, the same as in streams.
    public let id: EventID
    /// What happened.
    public let type: EventType
    /// When.
    public let time: Timestamp
    /// The revision that it made of its conversation; nil where that was not counted.
    public let revision: Revision?
    /// A step of its conversation, or a JSON object's text.
    public let body: EventBody

    /// Puts an event together.
    public init(
        id: EventID, type: EventType, time: Timestamp, revision: Revision?, body: EventBody
    ) {
        self.id = id
        self.type = type
        self.time = time
        self.revision = revision
        self.body = body
    }

    /// What it fixed of its conversation; nil for other events.
    public var step: ConversationStep? {
        if case .conversation(let step) = body { step } else { nil }
    }
}

/// Conversations that housekeeping has to change.
public protocol OverdueViews: Sendable {
    /// Conversations that are assigned to a person who has none of the roles that handle conversations in
    /// their business, at most 300.
    func abandoned(handling: Set<Role>) async throws(StoreError) -> [ConversationID]
}

/// Conversations and messages as readers see them; never behind an acknowledgement.
public protocol ConversationViews: Sendable {
    /// Finds a conversation by its name.
    func findConversation(_ id: ConversationID) async throws(StoreError) -> Conversation?

    /// Finds the one conversation of a customer with a business.
    func findConversation(
        of customer: CustomerID, with business: BusinessID
    ) async throws(StoreError) -> Conversation?

    /// Lists conversations by their newest event, in the filter's order; the edge is the newest event
    /// of the conversation that the page lies beside.
    ///
    /// Limit: 300 a page.
    func conversations(
        _ filter: ConversationFilter, at edge: PageEdge<Position>, limit: Int
    ) async throws(StoreError) -> Page<Conversation>

    /// Counts what the lists of a filter's businesses and states have, whatever its `care`.
    func countConversations(
        _ filter: ConversationFilter, mineOf agent: AgentID?
    ) async throws(StoreError) -> ConversationCounts

    /// Counts what a list has, one by one, up to a number; with `isWaiting` those whose customers wait.
    ///
    /// Limit: `SavedView.mostCounted`.
    func countListed(
        _ filter: ConversationFilter, isWaiting: Bool
    ) async throws(StoreError) -> BoundedCount

    /// Counts the open conversations of a list whose customers wait, those who left not among them.
    ///
    /// The cost does not grow with the number of conversations.
    func waitingConversations(
        _ filter: ConversationFilter
    ) async throws(StoreError) -> WaitingConversations

    /// Lists the open conversations of a list whose customers wait, those who left not among them, the
    /// longest waiter first.
    ///
    /// Of the filter's states only `open` counts: a list without it is empty. Limit: 300 a page.
    func waitingConversations(
        _ filter: ConversationFilter, at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation>

    /// Lists the conversations whose answers are due by a moment of their business, the earliest first.
    ///
    /// The filter's states and order are not asked for: only open conversations have a due answer.
    /// Limit: 300 a page.
    func dueConversations(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp],
        at edge: PageEdge<WaitingPlace>, limit: Int
    ) async throws(StoreError) -> Page<Conversation>

    /// Counts the conversations of such a list, one by one, up to a number.
    ///
    /// Limit: `SavedView.mostCounted`.
    func countDue(
        _ filter: ConversationFilter, until ends: [BusinessID: Timestamp]
    ) async throws(StoreError) -> BoundedCount

    /// Counts what the views of some businesses have, as the log is now or newer.
    ///
    /// The cost grows with the number of members, not with that of conversations.
    func countViews(
        of businesses: Set<BusinessID>
    ) async throws(StoreError) -> ViewCounts

    /// Finds conversations of some businesses by the names of their customers and contacts, by their
    /// newest event.
    ///
    /// A customer without a name is found by the last four letters and digits of the id.
    /// Limit: 300, and what `NameSearch` says.
    func findConversations(
        named query: SearchQuery, in businesses: Set<BusinessID>, limit: Int
    ) async throws(StoreError) -> [Conversation]

    /// Finds the newest messages of some conversations that neither the server nor a rule sent, for those whose
    /// newest message one of these sent.
    ///
    /// A conversation is left out where there is no such message among the nine newest, or where it is damaged.
    func lastNonAutomatic(
        of conversations: [Conversation]
    ) async throws(StoreError) -> [ConversationID: LastMessage]

    /// Reads a range of a thread, payloads included.
    ///
    /// A message that is not what was written is named by its number and left out.
    /// Order: by sequence, rising. Limit: 300 a page and 8 MiB of payloads, at least one message.
    func messages(
        in conversation: ConversationID, _ range: ThreadRange, limit: Int
    ) async throws(StoreError) -> Page<StoredMessage>

    /// Finds a message by its sender's id.
    func findMessage(
        _ id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> StoredMessage?

    /// Finds which answer settled a request; nil while none did.
    func findSettlement(
        of request: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> MessageID?

    /// Reads the notes left between two messages, oldest first, the newest 300 at most.
    func notes(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [Note]

    /// Reads the notes behind a place, in the order in which they were written.
    ///
    /// Order: by the message that each is behind, then as they were written. Limit: 300 a page.
    func notes(
        in conversation: ConversationID, behind place: NotePlace, limit: Int
    ) async throws(StoreError) -> ConversationNotes

    /// Whether a conversation has a note of this name.
    func hasNote(_ id: NoteID, in conversation: ConversationID) async throws(StoreError) -> Bool

    /// Reads the events of a thread between two messages, those behind the last one included, oldest
    /// first, the newest 300 at most; of a message the first is 0 for the thread's beginning.
    func threadEvents(
        in conversation: ConversationID, from first: SequenceNumber, to last: SequenceNumber
    ) async throws(StoreError) -> [ThreadEvent]
}
