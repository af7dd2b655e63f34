import DeskCrypto
public import DeskModel

/// A message on its way into the log, with what the store needs to recognise it again.
public struct NewMessage: Sendable {
    /// The judged message.
    public let submission: Submission
    /// SHA-256 of the bytes as posted.
    public let posted: Digest
    /// SHA-256 of the payload.
    public let digest: Digest
    /// When it is accepted.
    public let time: Timestamp
    /// Whether it comes from another store: nothing is answered to it by itself.
    let isCopy: Bool
    /// What it says to a question about satisfaction; nil for all but such cards.
    let rating: SatisfactionReply?
    /// When its content was erased in the system that it comes from; nil for all but tombstones.
    public let erasedAt: Timestamp?

    /// Whether it was said in another system: its time must not be before that of the newest message.
    var isImport: Bool { submission.facts.importedFrom != nil }

    /// Hashes a submission; call it away from the writer.
    public init(_ submission: Submission, at time: Timestamp) {
        isCopy = submission.facts.importedFrom != nil
        rating = isCopy ? nil : SatisfactionReply(submission)
        self.submission = submission
        erasedAt = nil
        self.time = time
        digest = .sha256(submission.payload)
        posted = submission.posted.map { .sha256($0) } ?? digest
    }

    /// A message that another store had: of what was posted only the digest is known.
    ///
    /// With nil the payload is what was posted.
    package init(_ submission: Submission, posted: Digest?, at time: Timestamp) {
        isCopy = true
        rating = nil
        self.submission = submission
        erasedAt = nil
        self.time = time
        digest = .sha256(submission.payload)
        self.posted = posted ?? digest
    }

    /// A tombstone that another store had, with its digest.
    package init(_ tombstone: Submission, digest: Digest, at time: Timestamp) {
        isCopy = true
        rating = nil
        submission = tombstone
        erasedAt = nil
        self.time = time
        self.digest = digest
        posted = digest
    }

    /// A message whose content was erased in the system that it comes from: a tombstone from the beginning.
    ///
    /// Its digest is that of bytes of chance, and says nothing of what was said.
    public init(
        erased id: MessageID, in conversation: ConversationID, _ facts: MessageFacts,
        at time: Timestamp, erasedAt: Timestamp
    ) {
        isCopy = true
        rating = nil
        submission = Submission(
            conversation: conversation, id: id, payload: StoredMessage.tombstonePayload,
            facts: facts)
        self.time = time
        self.erasedAt = erasedAt
        digest = .sha256(RandomBytes.make(32))
        posted = digest
    }
}

/// One step of a group, with what its caller gets.
public protocol WriteStep: Sendable {
    /// The step's result when it is not refused.
    associatedtype Answer: Sendable

    /// Decides the step; called by stores.
    ///
    /// - Throws: what the decision needs to know first, or why the step is refused.
    func decide(by decision: inout GroupDecision) throws(Undecided) -> Answer

    /// A conversation that the decision will need to know; nil where that is open.
    ///
    /// A store may read those of many steps at once.
    var neededConversation: ConversationID? { get }
}

extension WriteStep {
    /// None that is known before.
    public var neededConversation: ConversationID? { nil }
}

/// Steps that are carried out in order, all or none; the last one's answer is the group's.
public struct WriteGroup<Last: WriteStep>: Sendable {
    /// The steps before the last.
    public let first: [Write]
    /// The last step.
    public let last: Last

    /// Puts a group together.
    public init(_ last: Last, after first: [Write] = []) {
        self.first = first
        self.last = last
    }
}

/// Opens the conversation unless the customer has one with the business already.
public struct OpenConversation: WriteStep {
    let id: ConversationID
    let business: BusinessID
    let customer: Customer
    let time: Timestamp
    /// Who imports it; nil for a customer who writes.
    let importer: Author?

    /// Names the conversation if it is new.
    public init(
        _ id: ConversationID, business: BusinessID, customer: Customer, at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.customer = customer
        self.time = time
        importer = nil
    }

    /// Names the conversation of a customer of another system, which begins closed if it is new.
    public init(
        _ id: ConversationID, business: BusinessID, customer: Customer, at time: Timestamp,
        importedBy importer: Author
    ) {
        self.id = id
        self.business = business
        self.customer = customer
        self.time = time
        self.importer = importer
    }
}

/// The conversation that a customer has with a business.
public struct OpenedConversation: Hashable, Sendable {
    /// The conversation as it is now.
    public let conversation: Conversation
    /// Whether the step opened it.
    public let isNew: Bool
}

/// Goes on only while a conversation has one of some revisions; with nil while it exists.
///
/// Refused as `preconditionFailed` otherwise.
public struct RequireRevision: WriteStep {
    let conversation: ConversationID
    let revisions: [Revision]?

    /// Says which revisions do.
    public init(of conversation: ConversationID, in revisions: [Revision]?) {
        self.conversation = conversation
        self.revisions = revisions
    }
}

/// Changes a conversation.
public struct ChangeConversation: WriteStep {
    let conversation: ConversationID
    let change: ConversationChange
    let author: Author
    let time: Timestamp
    /// Whether it is what another system says of it: nothing follows from it.
    let isImported: Bool

    /// Says who changes what.
    public init(
        _ conversation: ConversationID, _ change: ConversationChange, by author: Author,
        at time: Timestamp, isImported: Bool = false
    ) {
        self.isImported = isImported
        self.conversation = conversation
        self.change = change
        self.author = author
        self.time = time
    }
}

/// Leaves a note; refused as `unusable` where it mentions someone who cannot be, or a retired team.
public struct AddNote: WriteStep {
    let conversation: ConversationID
    /// Its name.
    public let id: NoteID
    let text: String
    let mentions: Mentioned
    let author: Author
    let time: Timestamp

    /// Says who notes what, and whom it mentions.
    public init(
        _ id: NoteID, to conversation: ConversationID, text: String,
        mentions: Mentioned = Mentioned(), by author: Author, at time: Timestamp
    ) {
        self.mentions = mentions
        self.conversation = conversation
        self.id = id
        self.text = text
        self.author = author
        self.time = time
    }
}

/// Changes the text of a note, or deletes it.
///
/// Refused as `notFound`, `notAuthor`, `noteDeleted` or `onHold`, and as `AddNote` is.
public struct ChangeNote: WriteStep {
    let conversation: ConversationID
    let id: NoteID
    let text: String?
    let mentions: Mentioned
    let author: Author
    let time: Timestamp

    /// Says who changes what; with nil the text is deleted for good.
    public init(
        _ id: NoteID, in conversation: ConversationID, to text: String?,
        mentions: Mentioned = Mentioned(), by author: Author, at time: Timestamp
    ) {
        self.conversation = conversation
        self.id = id
        self.text = text
        self.mentions = mentions
        self.author = author
        self.time = time
    }
}

/// Appends an event that other parts of the server publish.
public struct AppendEvent: WriteStep {
    let type: EventType
    let business: BusinessID
    let conversation: ConversationID?
    let data: [UInt8]
    let time: Timestamp

    /// Describes the event; `data` is a JSON object's text.
    public init(
        _ type: EventType, of business: BusinessID, in conversation: ConversationID?,
        data: [UInt8], at time: Timestamp
    ) {
        self.type = type
        self.business = business
        self.conversation = conversation
        self.data = data
        self.time = time
    }
}

/// The version of a draft that an agent sends.
public struct SentDraft: Hashable, Sendable {
    /// Whose draft it is.
    public let agent: AgentID
    /// Where it is sent.
    public let conversation: ConversationID
    /// Which version is sent.
    public let version: Int64

    /// Puts the three together.
    public init(agent: AgentID, conversation: ConversationID, version: Int64) {
        self.agent = agent
        self.conversation = conversation
        self.version = version
    }
}

/// One step of a group whose own answer is not needed.
public enum Write: Sendable {
    /// Accepts a message.
    case message(NewMessage)
    /// Opens a conversation.
    case open(OpenConversation)
    /// Looks at a conversation's revision.
    case require(RequireRevision)
    /// Goes on only while a conversation is assigned to an agent, or with nil to none; refused as
    /// `alreadyAssigned` otherwise.
    case requireAssignee(AgentID?, of: ConversationID)
    /// Goes on only while a team looks after a conversation, or with nil none; refused as
    /// `alreadyAssigned` otherwise.
    case requireTeam(TeamID?, of: ConversationID)
    /// Goes on only while a person is a member of a business in one of some roles; refused as `unusable`
    /// otherwise.
    case requireMember(AgentID, of: BusinessID, in: Set<Role>)
    /// Goes on unless the author is a bot that has no control of a conversation; refused as `notInControl` then.
    case requireControl(Author, of: ConversationID)
    /// Goes on only while what a business chose of erasing by age is this; refused as `preconditionFailed`
    /// otherwise.
    case requireRetention(Retention)
    /// Changes a conversation.
    case change(ChangeConversation)
    /// Leaves a note.
    case note(AddNote)
    /// Appends an event.
    case event(AppendEvent)
    /// Publishes a template's next version.
    case template(Template)
    /// Changes a member's role, or ends the membership.
    case member(MemberChange)
    /// Begins a session; refused as `nameTaken` when its token has begun one already.
    case session(Session)
    /// Settles a request of a conversation by an answer, the first time for good.
    ///
    /// Refused as `settled` when another answer settled it; the same answer may come again.
    case settle(MessageID, in: ConversationID, by: MessageID)
    /// Uses a join code once for a conversation.
    case redeem(link: Digest, for: ConversationID, at: Timestamp)
    /// Notes that a conversation's customer is reached over a link, and until when what the business writes is
    /// accepted there, where that ends; the newest link counts, and of its moments the latest.
    case bind(ConversationID, to: GatewayLinkID, freeFormUntil: Timestamp? = nil)
    /// Has work done at a moment to come; refused as `idempotencyConflict` where its name is in use.
    case schedule(DueWork)
    /// Has the due time of a conversation's answer computed again, where one is awaited.
    case recount(ConversationID, at: Timestamp)
    /// Removes work, done or given up; refused as `notFound` where it is not there any more.
    case finish(DueWork)
    /// Leaves work undone for its author to look at; refused as `finish` is.
    case refuse(DueWork, as: DueWork.Failure)
    /// Notes what a rule makes of an event; refused as `idempotencyConflict` where it is noted already.
    case act(RuleAct)
    /// Removes a draft that was sent, unless the agent has saved another version since.
    case removeDraft(SentDraft)
    /// Notes what an agent did with a suggested answer; refused as `suggestionSettled` where it is not there
    /// any more.
    case settleSuggestion(SettleSuggestion)
    /// Keeps objects of the gateway, by their ids, as long as the conversation whose message names them.
    case keepObjects([String])
}
