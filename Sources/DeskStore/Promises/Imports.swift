public import DeskModel

/// What an import did with one thing.
public enum ImportOutcome: String, Sendable, CaseIterable {
    /// It was not there.
    case added
    /// It was there and differed.
    case updated
    /// It was there.
    case known
}

/// Publishes a template of another system, unless its newest version says the same already.
///
/// Refused as a template is. Of two that run at the same time with the same template one publishes it.
public struct ImportTemplate: WriteStep {
    let template: Template

    /// Says which one; its version is given by the store.
    public init(_ template: Template) { self.template = template }

    /// Answers with what was done.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> ImportOutcome {
        try decision.publish(self)
    }
}

/// Says what another system knows of a customer's person; a step before it opens the conversation.
///
/// Refused as `notFound` without the conversation, as `nameTaken` where another contact has the external id,
/// and as `unusable` for a value that its attribute does not allow.
public struct ImportCustomer: WriteStep {
    /// Whose conversation it is.
    public let customer: CustomerID
    let business: BusinessID
    let values: SaveContact.Values
    let importer: Author
    let time: Timestamp

    /// Says who imports what; `time` is that of the import.
    public init(
        _ customer: CustomerID, of business: BusinessID, _ values: SaveContact.Values,
        by importer: Author, at time: Timestamp
    ) {
        self.customer = customer
        self.business = business
        self.values = values
        self.importer = importer
        self.time = time
    }
}

/// A conversation as an import left it.
public struct ImportedConversation: Hashable, Sendable {
    /// The conversation as it is now.
    public let conversation: Conversation
    /// What the import did.
    public let outcome: ImportOutcome
    /// Whether its work was left as it is here, since it has messages.
    public let keepsWork: Bool
}

/// Says how another system has a conversation: its labels, and before its first message its work too.
///
/// Labels are added and none is removed, and so are names of metadata; those that are there keep their values. State, assignee and priority are those of the other system only as
/// long as the conversation has no message: afterwards people work with it here. Refused as `notFound`
/// without the conversation, and as `unusable` for labels that cannot be put on it and for more metadata than it may have.
public struct ImportState: WriteStep {
    /// What another system says of the work.
    public struct Work: Hashable, Sendable {
        /// The state.
        public var state: ConversationState
        /// When a snoozed one wakes.
        public var snoozedUntil: Timestamp?
        /// Who is assigned.
        public var assignee: AgentID?
        /// How urgent it is.
        public var priority: Priority

        /// Puts it together.
        public init(
            state: ConversationState = .closed, snoozedUntil: Timestamp? = nil,
            assignee: AgentID? = nil, priority: Priority = .none
        ) {
            self.state = state
            self.snoozedUntil = snoozedUntil
            self.assignee = assignee
            self.priority = priority
        }
    }

    let conversation: ConversationID
    let work: Work
    let labels: [LabelID]
    let metadata: Metadata
    let importer: Author
    let time: Timestamp

    /// Says who imports what.
    public init(
        _ conversation: ConversationID, _ work: Work, labels: [LabelID],
        metadata: Metadata = Metadata(), by importer: Author, at time: Timestamp
    ) {
        self.conversation = conversation
        self.work = work
        self.labels = labels
        self.metadata = metadata
        self.importer = importer
        self.time = time
    }
}

/// Adds a note that people of another system wrote, unless it is there.
///
/// It goes behind the newest message. Refused as `notFound` without the conversation.
public struct ImportNote: WriteStep {
    let conversation: ConversationID
    let id: NoteID
    let text: String
    let author: String
    let time: Timestamp

    /// Says what was noted.
    ///
    /// - Parameter author: what the other system calls who wrote it.
    public init(
        _ id: NoteID, in conversation: ConversationID, text: String, by author: String,
        at time: Timestamp
    ) {
        self.id = id
        self.conversation = conversation
        self.text = text
        self.author = author
        self.time = time
    }
}

extension OpenConversation {
    /// Whose conversation it is.
    public var customerID: CustomerID { customer.id }

    /// The conversation as the step opens it.
    public var beginning: Conversation {
        var conversation = Conversation(
            id: id, business: business, customer: customer, openedAt: time)
        if importer != nil { conversation.state = .closed }
        return conversation
    }
}

extension ImportNote {
    /// The note's name.
    public var note: NoteID { id }
}

extension ImportState {
    /// The names that a conversation does not have yet.
    func added(to conversation: Conversation) -> Metadata.Change {
        Metadata.Change(setting: metadata).adding(to: conversation.metadata)
    }

    /// Whether it would change a conversation.
    public func changes(_ conversation: Conversation) -> Bool {
        guard labels.allSatisfy({ conversation.labels.contains($0) }),
            added(to: conversation).isEmpty
        else { return true }
        guard conversation.newest == .start else { return false }
        return work.state != conversation.state || work.snoozedUntil != conversation.snoozedUntil
            || work.priority != conversation.priority
            || (work.assignee != nil && work.assignee != conversation.assignee)
    }
}

extension SaveContact.Values {
    /// Whether they would change a contact.
    public func change(_ contact: Contact) -> Bool {
        if let name, name != contact.name { return true }
        if let externalID, externalID != contact.externalID { return true }
        if let notes, notes != contact.notes { return true }
        if contact.metadata.changed(by: metadata) != contact.metadata { return true }
        return attributes.contains { contact.attributes[$0.key] != $0.value }
    }
}
