/// Keeps content from being erased, by people and by age, until an owner releases it.
///
/// Nothing else changes: messages come and go, and colleagues see no difference but a refused erasure.
public struct LegalHold: Hashable, Sendable {
    /// What is kept.
    public enum Subject: Hashable, Sendable {
        /// One conversation: its messages, notes, files, attributes and metadata, and what is known of its contact.
        case conversation(ConversationID)
        /// All conversations and contacts of a business, those to come too.
        case business(BusinessID)
    }

    /// Characters of a reason; it is never empty.
    public static let reasonCharacters = 500
    /// Holds of a business at most.
    public static let most = 10_000

    /// What is kept.
    public let subject: Subject
    /// Whose it is.
    public let business: BusinessID
    /// Why, such as a case's number, in the words of its author.
    public let reason: String
    /// Who placed it, or gave it another reason since.
    public let author: Author
    /// When that was.
    public let placedAt: Timestamp
    /// Its place in the list, which rises; 0 before it is stored.
    public var number: Int64

    /// Puts a hold together.
    public init(
        on subject: Subject, of business: BusinessID, reason: String, author: Author,
        placedAt: Timestamp, number: Int64 = 0
    ) {
        self.subject = subject
        self.business = business
        self.reason = reason
        self.author = author
        self.placedAt = placedAt
        self.number = number
    }
}

extension LegalHold.Subject {
    /// The id of the conversation or the business.
    public var id: UniqueID {
        switch self {
        case .conversation(let id): id.value
        case .business(let id): id.value
        }
    }

    /// The conversation; nil where all of a business is kept.
    public var conversation: ConversationID? {
        if case .conversation(let id) = self { id } else { nil }
    }
}
