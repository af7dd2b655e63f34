/// What is known of the person at the other end of a conversation.
public struct Customer: Hashable, Sendable {
    /// Longest locale that a device or a gateway may state, in bytes.
    public static let maximumLocaleBytes = 35
    /// Longest intent and longest group of the link that led a customer here, in bytes.
    public static let maximumWordBytes = 256

    private struct Parts: Hashable, Sendable {
        let id: CustomerID
        var name: String?
        var locale: String?
        var capabilities: [String]?
        var intent: String?
        var group: String?
    }

    // Conversations are copied all along a message's way, and seldom is any of this looked at.
    private var parts: Boxed<Parts>

    /// The customer's name in the protocol.
    public var id: CustomerID { parts.value.id }
    /// The customer's name as the business knows it; nil until one is set.
    public var name: String? {
        get { isErased ? nil : parts.value.name }
        set { parts.value.name = newValue }
    }
    /// Whether what was known of the person was erased, and no name came since.
    public var isErased: Bool { parts.value.name?.isEmpty == true }
    /// The name as rows have it: an empty text once it was erased, so that no further column is needed.
    package var storedName: String? { parts.value.name }
    /// The device's language, such as `en` or `ja`.
    public var locale: String? {
        get { parts.value.locale }
        set { parts.value.locale = newValue }
    }
    /// What the device can show; nil when it never said.
    public var capabilities: [String]? {
        get { parts.value.capabilities }
        set { parts.value.capabilities = newValue }
    }
    /// The intent of the link that led here.
    public var intent: String? {
        get { parts.value.intent }
        set { parts.value.intent = newValue }
    }
    /// The group of the link that led here.
    public var group: String? {
        get { parts.value.group }
        set { parts.value.group = newValue }
    }

    /// Describes a customer.
    public init(
        id: CustomerID, name: String? = nil, locale: String? = nil, capabilities: [String]? = nil,
        intent: String? = nil, group: String? = nil
    ) {
        parts = Boxed(
            Parts(
                id: id, name: name, locale: locale, capabilities: capabilities, intent: intent,
                group: group))
    }

    /// Forgets the name, and what the device said of itself; the id stays, by which the customer is known again.
    package mutating func erase() {
        parts.value.name = ""
        parts.value.locale = nil
        parts.value.capabilities = nil
    }
}

/// What the list of conversations shows of a conversation's last message.
public struct LastMessage: Hashable, Sendable {
    /// The sender's name for it.
    public var id: MessageID
    /// Its place in the conversation.
    public var sequence: SequenceNumber
    /// Which way it went.
    public var direction: Direction
    /// What it was.
    public var kind: MessageKind
    /// Who wrote it.
    public var author: Author
    /// When it was accepted.
    public var time: Timestamp
    /// What it said, shortened; empty when it was erased.
    public var summary: String
    /// When its content was erased; nil while it is there.
    public var erasedAt: Timestamp?

    /// Puts a summary together.
    public init(
        id: MessageID, sequence: SequenceNumber, direction: Direction, kind: MessageKind,
        author: Author, time: Timestamp, summary: String, erasedAt: Timestamp? = nil
    ) {
        self.id = id
        self.sequence = sequence
        self.direction = direction
        self.kind = kind
        self.author = author
        self.time = time
        self.summary = summary
        self.erasedAt = erasedAt
    }
}

/// A conversation as the views show it; for ever one for a business and a customer.
public struct Conversation: Hashable, Sendable {
    private struct Known: Hashable, Sendable {
        var contact: ContactID?
        var name: String?
        var blockedAt: Timestamp?
        var attributes: [String: AttributeValue] = [:]
        var participants: [AgentID] = []
        var watchers: [AgentID] = []
        var answerDue: AnswerDue?
        var satisfaction: Satisfaction?
        var metadata = Metadata()
        var freeFormUntil: Timestamp?
    }

    /// Most participants of a conversation, and as many watchers; one more is refused.
    public static let mostParticipants = 100

    // Most conversations have none of these: they carry nothing along.
    private var known: Boxed<Known>?

    /// Its name.
    public let id: ConversationID
    /// Whose it is.
    public let business: BusinessID
    /// Who is at the other end.
    public var customer: Customer
    /// What agents did with it.
    public var state: ConversationState
    /// The agent who is assigned; nil for none.
    public var assignee: AgentID?
    /// The team that looks after it; nil for none.
    public var team: TeamID?
    /// When a snoozed conversation wakes.
    public var snoozedUntil: Timestamp?
    /// How urgent agents say it is.
    public var priority = Priority.none
    /// Its labels, in the order in which they were put on it.
    public var labels: [LabelID] = []
    /// What agents call its contact; nil until they do.
    public var contactName: String? {
        get { known?.value.name }
        set { know { $0.name = newValue } }
    }
    /// Since when its customer is blocked: nothing that the customer sends is stored.
    public var blockedAt: Timestamp? {
        get { known?.value.blockedAt }
        set { know { $0.blockedAt = newValue } }
    }
    /// The contact that its own was merged into; nil while its own stands for itself.
    public var mergedContact: ContactID? {
        get { known?.value.contact }
        set { know { $0.contact = newValue } }
    }
    /// The values of its attributes, by their keys.
    public var attributes: [String: AttributeValue] {
        get { known?.value.attributes ?? [:] }
        set { know { $0.attributes = newValue } }
    }
    /// The agents who answered, left a note, were mentioned or were added, in this order.
    public var participants: [AgentID] {
        get { known?.value.participants ?? [] }
        set { know { $0.participants = newValue } }
    }
    /// The agents who chose to follow it.
    public var watchers: [AgentID] {
        get { known?.value.watchers ?? [] }
        set { know { $0.watchers = newValue } }
    }
    /// Until when the customer who waits is to be answered; nil where the business promises nothing.
    public var answerDue: AnswerDue? {
        get { known?.value.answerDue }
        set { know { $0.answerDue = newValue } }
    }
    /// What the customer was asked after a closing, and said; nil before the first question.
    public var satisfaction: Satisfaction? {
        get { known?.value.satisfaction }
        set { know { $0.satisfaction = newValue } }
    }
    /// What integrations keep beside it; goes when content of the conversation is erased.
    public var metadata: Metadata {
        get { known?.value.metadata ?? Metadata() }
        set { know { $0.metadata = newValue } }
    }
    /// Until when the customer's channel accepts what the business writes of its own accord; nil for a channel
    /// without such a limit.
    public var freeFormUntil: Timestamp? {
        get { known?.value.freeFormUntil }
        set { know { $0.freeFormUntil = newValue } }
    }
    /// Whether the customer deleted it and has not written since.
    public var hasLeft: Bool
    /// Whether the customer receives no signals; the customer's own setting, never shown to a
    /// business.
    public var isMuted: Bool
    /// Messages up to here are deleted on the customer's side.
    public var deletedUpTo: SequenceNumber
    /// When it was opened.
    public let openedAt: Timestamp
    /// The newest message's summary; nil before the first.
    public var last: LastMessage?
    /// Messages from the customer that no agent has seen or answered.
    public var unread: Int
    /// Everything up to here was seen by an agent.
    public var readUpTo: SequenceNumber
    /// Since when the customer waits for an answer.
    public var waitingSince: Timestamp?
    /// The log's position at its newest event; lists are sorted by it.
    public var activity: Position
    /// How many events it has had.
    public var revision: Revision

    /// A conversation that was just opened.
    public init(
        id: ConversationID, business: BusinessID, customer: Customer, openedAt: Timestamp
    ) {
        self.id = id
        self.business = business
        self.customer = customer
        state = .open
        hasLeft = false
        isMuted = false
        deletedUpTo = .start
        self.openedAt = openedAt
        unread = 0
        readUpTo = .start
        activity = .start
        revision = .start
    }

    private mutating func know(_ change: (inout Known) -> Void) {
        var next = known?.value ?? Known()
        change(&next)
        known = next == Known() ? nil : Boxed(next)
    }

    /// The contact of its customer: its own, or the one that this was merged into.
    public var contact: ContactID { mergedContact ?? ContactID(id.value) }

    /// Whether its person was erased, and has not written since.
    public var isPersonErased: Bool {
        customer.isErased && (last.map { $0.erasedAt != nil } ?? true)
    }

    /// Those who are concerned by what happens to it, each once.
    public var concerned: [AgentID] {
        var all = assignee.map { [$0] } ?? []
        for agent in participants + watchers where !all.contains(agent) { all.append(agent) }
        return all
    }

    /// The number of its newest message; 0 before the first.
    public var newest: SequenceNumber { last?.sequence ?? .start }
}

/// A remark that agents leave for each other; the customer never sees it.
public struct Note: Hashable, Sendable {
    /// Its name.
    public let id: NoteID
    /// When it was written.
    public let time: Timestamp
    /// Who wrote it.
    public let author: Author
    /// What it says; empty once it was deleted.
    public var text: String
    /// The newest message when it was written.
    public let afterSequence: SequenceNumber
    /// Whom it mentions, each once.
    public var mentions: [AgentID]
    /// When its author first mentioned those whom it did not mention when it was written.
    public var laterMentions: [AgentID: Timestamp]
    /// The teams by which it mentions their members, each once.
    public var teams: [TeamID]
    /// When its text was changed last; nil where it never was.
    public var editedAt: Timestamp?
    /// When its text was deleted; nil while it is there.
    public var deletedAt: Timestamp?

    /// Whether an import brought it: people of other systems are named as providers are, and no one else
    /// writes notes under such a name.
    public var isImported: Bool {
        if case .provider = author { true } else { false }
    }

    /// Since when it has mentioned an agent whom it mentions.
    public func mentioning(_ agent: AgentID) -> Timestamp { laterMentions[agent] ?? time }

    /// Puts a note together.
    public init(
        id: NoteID, time: Timestamp, author: Author, text: String, afterSequence: SequenceNumber,
        mentions: [AgentID] = [], laterMentions: [AgentID: Timestamp] = [:],
        teams: [TeamID] = [], editedAt: Timestamp? = nil, deletedAt: Timestamp? = nil
    ) {
        self.mentions = mentions
        self.laterMentions = laterMentions
        self.teams = teams
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.id = id
        self.time = time
        self.author = author
        self.text = text
        self.afterSequence = afterSequence
    }
}

/// What may be done to a conversation, beside writing into it.
public enum ConversationChange: Hashable, Sendable {
    /// Assigns it to an agent; nil removes the assignment.
    case assign(AgentID?)
    /// Gives it to a team; nil removes it from its team. The assignment stays.
    case move(to: TeamID?)
    /// Removes participants and adds others; what is so already is left as it is.
    case participate(add: [AgentID], remove: [AgentID])
    /// An agent follows it, or no longer.
    case watch(AgentID, Bool)
    /// Says how urgent it is.
    case prioritize(Priority)
    /// Removes labels and adds others; what is so already is left as it is.
    case label(add: [LabelID], remove: [LabelID])
    /// Gives attributes values, and with nil removes them.
    case attribute([String: AttributeValue?])
    /// Gives names of its metadata values, or removes them.
    case annotate(Metadata.Change)
    /// Blocks the customer from a moment on, or with nil no longer.
    case block(Timestamp?)
    /// Ends the work.
    case close
    /// Sleeps until a time or the customer's next message.
    case snooze(until: Timestamp?)
    /// Waits for something outside.
    case pend
    /// Back to open from any state.
    case reopen
    /// Back from closed to another state, with the waiting that the closing ended; from a state other than
    /// closed the same as the change to that state.
    case undoClose(ConversationState, until: Timestamp?)
    /// Says until when the customer is to be answered; nothing where the customer does not wait.
    case expect(AnswerDue)
    /// Says that the answer is overdue; nothing where none is due.
    case breach
    /// Notes that the customer is asked how satisfied they are.
    case ask(Satisfaction.Question)
    /// The customer deleted it.
    case leave
    /// The customer turns signals off, or on again.
    case mute(Bool)
    /// An agent has seen everything up to a message.
    case markRead(SequenceNumber)
    /// What became known of the customer; replaces all of it.
    case describe(Customer)
}

extension ConversationChange {
    /// The change that brings a conversation into a state.
    ///
    /// - Parameter until: when a snoozed one wakes.
    public init(entering state: ConversationState, until: Timestamp?) {
        self =
            switch state {
            case .open: .reopen
            case .pending: .pend
            case .snoozed: .snooze(until: until)
            case .closed: .close
            }
    }
}
