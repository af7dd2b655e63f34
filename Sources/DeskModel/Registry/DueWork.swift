/// What the server does by itself at a moment to come, once.
///
/// It is a row from the commit that asks for it to the commit that does it, so that it survives whatever
/// happens to the process between the two, and is done by one of those who try.
public struct DueWork: Hashable, Sendable {
    /// What there is to do.
    public enum Kind: String, Sendable, CaseIterable {
        /// To open a snoozed conversation again.
        case wake
        /// To send a message that its author may still withdraw.
        case send
        /// To give an automatic answer, the kind of which is the subject, where it is still due then.
        case answer
        /// To return a conversation that its agent has not answered by then.
        case giveBack
        /// To compute when an awaited answer is due, counted from the work's own moment.
        case due
        /// To say that an answer is overdue, where it still is.
        case breach
        /// To ask the customer of a closed conversation how satisfied they are, where that is due still.
        case ask
        /// To thank a customer who said it.
        case thank
        /// To have those of a business's answers that are due computed again, a page of them at a time: its
        /// service levels or hours were changed. Its conversation has the business's UUID.
        case recount
    }

    /// Names the work: of one kind and subject there is one in a conversation.
    public struct Name: Hashable, Sendable {
        /// What there is to do.
        public let kind: Kind
        /// Where.
        public let conversation: ConversationID
        /// On what, such as a message's id; empty where the conversation is enough.
        public let subject: String

        /// Puts a name together.
        public init(_ kind: Kind, in conversation: ConversationID, on subject: String = "") {
            self.kind = kind
            self.conversation = conversation
            self.subject = subject
        }
    }

    /// Why work that was due was refused, and is left to its author.
    public struct Failure: Hashable, Sendable {
        /// The word of the refusal, as in answers.
        public let code: String
        /// What went wrong, for a person.
        public let detail: String

        /// Puts the two together.
        public init(code: String, detail: String) {
            self.code = code
            self.detail = detail
        }
    }

    /// Its name.
    public let name: Name
    /// The conversation's business.
    public let business: BusinessID
    /// When it is to be done.
    public let dueAt: Timestamp
    /// When it was asked for.
    public let madeAt: Timestamp
    /// Who asked for it.
    public let author: Author
    /// What the kind needs to know, as a JSON object's text; empty for nothing.
    ///
    /// Of `send` it is the message.
    public let data: [UInt8]
    /// Why it was not done when it was due; nil while it is to be done.
    public let failure: Failure?

    /// Puts work together.
    public init(
        _ name: Name, of business: BusinessID, dueAt: Timestamp, madeAt: Timestamp,
        author: Author, data: [UInt8] = [], failure: Failure? = nil
    ) {
        self.name = name
        self.business = business
        self.dueAt = dueAt
        self.madeAt = madeAt
        self.author = author
        self.data = data
        self.failure = failure
    }

    /// The work that has the answers of a business computed again, or with a team those of the team.
    package static func recount(
        of business: BusinessID, for team: TeamID? = nil, at time: Timestamp
    ) -> DueWork {
        DueWork(
            Name(.recount, in: ConversationID(business.value), on: team?.text ?? ""), of: business,
            dueAt: time, madeAt: time, author: .server)
    }

    /// The same work, which goes on behind a place of the list.
    package func continued(behind place: [UInt8], at time: Timestamp) -> DueWork {
        DueWork(name, of: business, dueAt: time, madeAt: madeAt, author: author, data: place)
    }

    /// The same work, due at another moment.
    package func postponed(until time: Timestamp) -> DueWork {
        DueWork(name, of: business, dueAt: time, madeAt: madeAt, author: author, data: data)
    }

    /// The same work, refused.
    package func refused(as failure: Failure) -> DueWork {
        DueWork(
            name, of: business, dueAt: dueAt, madeAt: madeAt, author: author, data: data,
            failure: failure)
    }
}
