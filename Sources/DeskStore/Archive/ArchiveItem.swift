public import DeskModel

/// What an archive says of itself before the first thing.
public struct ArchiveHead: Hashable, Sendable {
    /// The life of the store that it was made of.
    public let epoch: Epoch
    /// When it was begun.
    public let time: Timestamp
    /// The newest event in it.
    public let position: Position
    /// Events up to here were forgotten; their messages are there.
    public let pruned: Position
    /// Whether it has a line for each request that was settled; where not, its answers show that.
    public let namesSettlements: Bool

    /// Puts the five together.
    public init(
        epoch: Epoch, time: Timestamp, position: Position, pruned: Position,
        namesSettlements: Bool = true
    ) {
        self.namesSettlements = namesSettlements
        self.epoch = epoch
        self.time = time
        self.position = position
        self.pruned = pruned
    }
}

/// One thing of a store on its way into another, in the order in which an archive has them.
///
/// Nothing here is a secret: no password, session, key or code.
public enum ArchiveItem: Sendable {
    /// A business.
    case business(Business)
    /// A way in.
    case link(EntryLink)
    /// A person, without the password.
    case agent(Agent)
    /// One person's part in one business.
    case membership(Membership)
    /// An API key by its name, for authorship; without its secret it authenticates no caller.
    case key(APIKey)
    /// A provider or an upstream gateway, without the secret.
    case gateway(GatewayLink)
    /// A webhook endpoint, without its secrets and the fields that it chose.
    case webhook(Webhook)
    /// One version of a template.
    case template(Template)
    /// A label.
    case label(Label)
    /// A team.
    case team(Team)
    /// What an agent chose of being there.
    case availability(ChosenAvailability)
    /// The hours of a business or of one of its teams.
    case hours(StoredHours)
    /// What the server answers by itself for a business.
    case automaticAnswers(AutomaticAnswers, of: BusinessID)
    /// How a business or one of its teams assigns by itself.
    case assignment(StoredAssignment)
    /// The definition of an attribute.
    case attribute(AttributeDefinition)
    /// What is known of a person.
    case contact(Contact)
    /// What agents say of two contacts of different businesses.
    case contactLink(ContactLink)
    /// A macro.
    case macro(Macro)
    /// A rule.
    case rule(TeamRule)
    /// How soon a business wants to answer.
    case serviceLevels([UInt8], of: BusinessID)
    /// Whether and how customers of a business are asked.
    case satisfaction(StoredSatisfaction, of: BusinessID)
    /// What a business chose of its widget, without the secrets.
    case widget([UInt8], of: BusinessID)
    /// After how many days a business has content erased.
    case retention(Retention)
    /// What is kept from being erased; of a conversation it comes before it.
    case legalHold(LegalHold)
    /// A bot.
    case bot(Bot)
    /// A saved view.
    case savedView(SavedView)
    /// A file of a library; its bytes and its hold follow.
    case libraryFile(LibraryFile)
    /// What an agent has begun to write.
    case draft(Draft)
    /// An answer that is suggested in a conversation.
    case suggestion(Suggestion)
    /// A message that waits to be sent.
    case delayed(DueWork)
    /// What an agent chose for the own work.
    case preferences(AgentPreferences, of: AgentID)
    /// An attachment's name and size; its bytes follow in pieces.
    case attachment(Blob)
    /// The next bytes of the attachment before.
    case piece([UInt8])
    /// Who holds which attachment.
    case hold(ArchivedHold)
    /// A conversation as its messages leave it.
    case conversation(ArchivedConversation)
    /// A remark for colleagues.
    case note(ArchivedNote)
    /// A message, and with it the event of its acceptance.
    case message(ArchivedMessage)
    /// Any other event.
    case event(ArchivedEvent)
    /// Which answer settled a request that is settled once.
    case settlement(ArchivedSettlement)
}

/// Who holds which attachment, and since when.
public struct ArchivedHold: Hashable, Sendable {
    /// Who holds it.
    public let holder: AttachmentHolder
    /// Which one, as the holder knows it.
    public let attachment: AttachmentUse
    /// Since when.
    public let time: Timestamp

    /// Puts the three together.
    public init(holder: AttachmentHolder, attachment: AttachmentUse, time: Timestamp) {
        self.holder = holder
        self.attachment = attachment
        self.time = time
    }
}

/// A conversation with what verifies that its messages are complete.
public struct ArchivedConversation: Hashable, Sendable {
    /// The conversation.
    public let conversation: Conversation
    /// The running head over its messages; nil before the first.
    public let head: Digest?
    /// Where its newest message lies; 0 before the first.
    public let end: Position

    /// Puts the three together.
    public init(conversation: Conversation, head: Digest?, end: Position) {
        self.conversation = conversation
        self.head = head
        self.end = end
    }
}

/// A request that is settled once, such as a payment, and the answer that settled it.
public struct ArchivedSettlement: Hashable, Sendable {
    /// Where both are.
    public let conversation: ConversationID
    /// The request.
    public let request: MessageID
    /// The answer.
    public let answer: MessageID

    /// Puts the three together.
    public init(conversation: ConversationID, request: MessageID, answer: MessageID) {
        self.conversation = conversation
        self.request = request
        self.answer = answer
    }
}

/// A remark with its number in the store.
public struct ArchivedNote: Hashable, Sendable {
    /// By which events name it.
    public let number: Int64
    /// Where it was left.
    public let conversation: ConversationID
    /// The remark.
    public let note: Note

    /// Puts the three together.
    public init(number: Int64, conversation: ConversationID, note: Note) {
        self.number = number
        self.conversation = conversation
        self.note = note
    }
}

/// A message with its numbers.
public struct ArchivedMessage: Hashable, Sendable {
    /// Where it lies in the log.
    public let position: Position
    /// Its place in the conversation.
    public let sequence: SequenceNumber
    /// When it was accepted.
    public let time: Timestamp
    /// The revision that it made of its conversation; nil where that was not counted or its event
    /// was forgotten.
    public let revision: Revision?
    /// What was posted, when that was not the payload.
    public let posted: Digest?
    /// Where it goes.
    public let conversation: ConversationID
    /// The sender's name for it.
    public let id: MessageID
    /// Direction, kind, author and the rest.
    public let facts: MessageFacts
    /// The bytes as sent on.
    public let payload: [UInt8]
    /// When its content was erased, and the digest that replaces the content's; nil for a message
    /// that has it.
    public let erasure: ArchivedErasure?

    /// Puts a message together.
    public init(
        position: Position, sequence: SequenceNumber, time: Timestamp, revision: Revision?,
        posted: Digest?, conversation: ConversationID, id: MessageID, facts: MessageFacts,
        payload: [UInt8], erasure: ArchivedErasure? = nil
    ) {
        self.erasure = erasure
        self.position = position
        self.sequence = sequence
        self.time = time
        self.revision = revision
        self.posted = posted
        self.conversation = conversation
        self.id = id
        self.facts = facts
        self.payload = payload
    }

    /// The same message with the revision that its event made.
    package func making(_ revision: Revision?) -> ArchivedMessage {
        ArchivedMessage(
            position: position, sequence: sequence, time: time, revision: revision, posted: posted,
            conversation: conversation, id: id, facts: facts, payload: payload, erasure: erasure)
    }

    /// The message as a store accepts it.
    package var new: NewMessage {
        let submission = Submission(
            conversation: conversation, id: id, payload: payload, facts: facts)
        if let erasure { return NewMessage(submission, digest: erasure.digest, at: time) }
        return NewMessage(submission, posted: posted, at: time)
    }
}

/// What a tombstone says of its erasure.
public struct ArchivedErasure: Hashable, Sendable {
    /// When the content was erased.
    public let time: Timestamp
    /// The keyed digest in the content's place.
    public let digest: Digest

    /// Puts the two together.
    public init(time: Timestamp, digest: Digest) {
        self.time = time
        self.digest = digest
    }
}

/// An event that no message brings along.
public struct ArchivedEvent: Hashable, Sendable {
    /// What it is about.
    public enum Body: Hashable, Sendable {
        /// A change of its conversation.
        case step(ConversationStep)
        /// A note, by its number.
        case note(Int64)
        /// A JSON object's text.
        case json([UInt8])
        /// What a row of an unknown type has, as it is.
        case other(subject: Int64?, data: [UInt8]?)
    }

    /// Where it lies in the log.
    public let position: Position
    /// What happened.
    public let type: EventType
    /// When.
    public let time: Timestamp
    /// To whose business.
    public let business: BusinessID
    /// Where, when it was in a conversation.
    public let conversation: ConversationID?
    /// The revision that it made of its conversation; nil where that was not counted.
    public let revision: Revision?
    /// What it is about.
    public let body: Body

    /// Puts an event together.
    public init(
        position: Position, type: EventType, time: Timestamp, business: BusinessID,
        conversation: ConversationID?, revision: Revision?, body: Body
    ) {
        self.position = position
        self.type = type
        self.time = time
        self.business = business
        self.conversation = conversation
        self.revision = revision
        self.body = body
    }
}
