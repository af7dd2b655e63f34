public import DeskModel

/// One thing that a decision must know of the store.
///
/// The store answers each with the `GroupDecision.found` of the same words.
public enum Lookup: Hashable, Sendable {
    /// A conversation's row.
    case conversation(ConversationID)
    /// The row of the one conversation that a customer has with a business.
    case conversationOf(CustomerID, BusinessID)
    /// The number of a business's row.
    case business(BusinessID)
    /// A message by its sender's id.
    case message(MessageID, in: ConversationID)
    /// Whether one of these messages was erased, in one query however many they are; those that are not there were not.
    case erased(among: [MessageID], in: ConversationID)
    /// Which answer settled a request.
    case settlement(of: MessageID, in: ConversationID)
    /// The newest closing of a conversation.
    case closing(of: ConversationID)
    /// Whether another sender than an author wrote to the customer after a message.
    case answered(ConversationID, after: SequenceNumber, beside: Author)
    /// A note and its row's number.
    case note(NoteID, in: ConversationID)
    /// The work of a name.
    case due(DueWork.Name)
    /// What an idempotency key led to, by its scope.
    case answer(String)
    /// Whether a token's session is there, expired or not.
    case session(Digest)
    /// The chain of a conversation's messages.
    case chain(ConversationID)
    /// Whether a conversation holds a file: a file without holds may be gone.
    case file(AttachmentID)
    /// The newest version of a template; 0 before the first.
    case template(TemplateName, of: BusinessID)
    /// The newest version of a template with what it says, that of its removal included.
    case newestTemplate(TemplateName, of: BusinessID)
    /// What is left of a join code.
    case joinCode(Digest)
    /// A person's part in a business.
    case member(AgentID, of: BusinessID)
    /// The owners of a business who can sign in.
    case owners(of: BusinessID)
    /// The labels of a business, retired ones included.
    case labels(of: BusinessID)
    /// The teams of a business, retired ones included.
    case teams(of: BusinessID)
    /// Whether a business promises how soon it answers.
    case serviceLevels(of: BusinessID)
    /// When customers of a business are asked after a closing.
    case satisfactionPlan(of: BusinessID)
    /// A saved view.
    case savedView(SavedViewID)
    /// How many saved views lie on a scope.
    case viewCount(SavedView.Scope)
    /// The library of a business, the newest file first.
    case library(of: BusinessID)
    /// The suggested answers of a conversation, the oldest first.
    case suggestions(in: ConversationID)
    /// The bots of a business, retired ones included, and whether they can be reached.
    case bots(of: BusinessID)
    /// Who controls a conversation.
    case control(of: ConversationID)
    /// The definitions of a business's attributes, retired ones included.
    case attributes(of: BusinessID)
    /// A contact.
    case contact(ContactID)
    /// The contacts that were merged into one, and into these, itself among them: at most
    /// `Contact.mostMerged` and one more.
    case contactTree(ContactID)
    /// The links of a contact, those that were parted included.
    case contactLinks(of: ContactID)
    /// The contact of a business that has an external id, by the id's bytes.
    case contactOf(externalID: [UInt8], BusinessID)
    /// Whether an agent's answer assigns a business's conversations that have no assignee.
    case assignsOnReply(BusinessID)
    /// What the server answers by itself for a business.
    case automaticAnswers(of: BusinessID)
    /// Whether an endpoint is there and enabled.
    case webhook(WebhookID)
    /// The rules of a business.
    case rules(of: BusinessID)
    /// Whether a rule has made something of an event.
    case ruleAct(RuleAct.Name)
    /// How a business and its teams assign by themselves.
    case assignment(of: BusinessID)
    /// What the members of a business have to do, with what earlier groups of the transaction did.
    case workload(of: BusinessID)
    /// Who looked after a conversation before.
    case earlierCare(of: ConversationID)
    /// What a business chose of erasing by age.
    case retention(of: BusinessID)
    /// The legal hold on a conversation or a business.
    case legalHold(on: LegalHold.Subject)
    /// How many legal holds a business has.
    case legalHoldCount(of: BusinessID)
    /// The keys that may act for a business because a person said so.
    case grants(by: AgentID, for: BusinessID)
    /// The readable conversations of a business that are assigned to a person, those longest at
    /// rest first, at most `MemberChange.conversationsAtOnce`.
    case assigned(to: AgentID, in: BusinessID)
}

/// A message that the log has, with what its sender posted.
package struct KnownMessage: Sendable {
    /// The message as stored.
    package let message: StoredMessage
    /// SHA-256 of the bytes as posted.
    package let posted: Digest

    /// Puts it together.
    package init(message: StoredMessage, posted: Digest) {
        self.message = message
        self.posted = posted
    }
}

/// The newest closing of a conversation.
package struct KnownClosing: Sendable {
    /// When it was closed.
    package let time: Timestamp
    /// The waiting that it ended; nil where no customer waited.
    package let waiting: EndedWaiting?

    /// Puts the two together.
    package init(time: Timestamp, waiting: EndedWaiting?) {
        self.time = time
        self.waiting = waiting
    }
}

/// A note that the store has.
package struct KnownNote: Sendable {
    /// The number of its row.
    package let number: Int64
    /// The note.
    package var note: Note

    /// Puts the two together.
    package init(number: Int64, note: Note) {
        self.number = number
        self.note = note
    }
}

/// What is left of a join code.
package struct KnownJoinCode: Sendable {
    /// Whose code it is.
    package let business: BusinessID
    /// How often it may still be used.
    package var usesLeft: Int
    /// When it ends.
    package let expiresAt: Timestamp

    /// Puts it together.
    package init(business: BusinessID, usesLeft: Int, expiresAt: Timestamp) {
        self.business = business
        self.usesLeft = usesLeft
        self.expiresAt = expiresAt
    }
}

/// A person's part in a business.
package struct KnownMember: Sendable {
    /// The role; nil for an agent who is no member.
    package var role: Role?
    /// Whether the person has a password.
    package let canSignIn: Bool

    /// Puts it together.
    package init(role: Role?, canSignIn: Bool) {
        self.role = role
        self.canSignIn = canSignIn
    }
}

/// What was looked up beside conversations, and what earlier steps of the group made of it.
struct FoundRows: Sendable {
    struct CustomerKey: Hashable { let customer: CustomerID, business: BusinessID }
    struct MessageKey: Hashable { let id: MessageID, conversation: ConversationID }
    struct MessagesKey: Hashable { let ids: [MessageID], conversation: ConversationID }
    struct NoteKey: Hashable { let id: NoteID, conversation: ConversationID }
    struct AnswerKey: Hashable {
        let conversation: ConversationID
        let after: SequenceNumber
        let author: Author
    }
    struct TemplateKey: Hashable { let name: TemplateName, business: BusinessID }
    struct MemberKey: Hashable { let agent: AgentID, business: BusinessID }
    /// By the bytes of the id: texts that only look alike are not the same.
    struct ExternalKey: Hashable { let id: [UInt8], business: BusinessID }

    var conversationsOf: [CustomerKey: ConversationID?] = [:]
    var businesses: [BusinessID: Int64?] = [:]
    var messages: [MessageKey: KnownMessage?] = [:]
    var erased: [MessagesKey: Bool] = [:]
    var settlements: [MessageKey: MessageID?] = [:]
    var answered: [AnswerKey: Bool] = [:]
    var closings: [ConversationID: KnownClosing?] = [:]
    var due: [DueWork.Name: DueWork?] = [:]
    var notes: [NoteKey: KnownNote?] = [:]
    /// By the bytes of the scope: texts that only look alike are not the same key.
    var answers: [[UInt8]: RememberedAnswer?] = [:]
    var sessions: [Digest: Bool] = [:]
    var chains: [ConversationID: KnownChain] = [:]
    var files: [AttachmentID: Bool] = [:]
    var templates: [TemplateKey: Int] = [:]
    var newestTemplates: [TemplateKey: Template?] = [:]
    var joinCodes: [Digest: KnownJoinCode?] = [:]
    var members: [MemberKey: KnownMember] = [:]
    var owners: [BusinessID: Set<AgentID>] = [:]
    var grants: [MemberKey: [KeyID]] = [:]
    var assigned: [MemberKey: [ConversationID]] = [:]
    var assigningOnReply: [BusinessID: Bool] = [:]
    var automaticAnswers: [BusinessID: AutomaticAnswers] = [:]
    var rules: [BusinessID: [TeamRule]] = [:]
    var webhooks: [WebhookID: Bool] = [:]
    var ruleActs: [RuleAct.Name: Bool] = [:]
    var assignments: [BusinessID: AssignmentSettings] = [:]
    var workloads: [BusinessID: Workload] = [:]
    var earlierCare: [ConversationID: EarlierCare] = [:]
    var retentions: [BusinessID: Retention?] = [:]
    var legalHolds: [LegalHold.Subject: LegalHold?] = [:]
    var legalHoldCounts: [BusinessID: Int] = [:]
    var labels: [BusinessID: [Label]] = [:]
    var serviceLevels: [BusinessID: Bool] = [:]
    var satisfactionPlans: [BusinessID: SatisfactionPlan?] = [:]
    var savedViews: [SavedViewID: SavedView?] = [:]
    var viewCounts: [SavedView.Scope: Int] = [:]
    var libraries: [BusinessID: [LibraryFile]] = [:]
    var suggestions: [ConversationID: [Suggestion]] = [:]
    var bots: [BusinessID: [KnownBot]] = [:]
    var controls: [ConversationID: Control?] = [:]
    var teams: [BusinessID: [Team]] = [:]
    var contacts: [ContactID: Contact?] = [:]
    var contactTrees: [ContactID: [ContactID]] = [:]
    var contactLinks: [ContactID: [ContactLink]] = [:]
    var attributes: [BusinessID: [AttributeDefinition]] = [:]
    var externalIDs: [ExternalKey: ContactID?] = [:]
}
