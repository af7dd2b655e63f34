/// What a business knows of a person who writes to it: the record behind a customer.
///
/// A contact is made with a customer's conversation, in the same commit, and has its UUID; so each
/// customer has one, whatever the conversation's row says.
public struct Contact: Hashable, Sendable {
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 200
    /// Longest external id in bytes of UTF-8.
    public static let maximumExternalIDBytes = 200
    /// Longest notes in bytes of UTF-8.
    public static let maximumNotesBytes = 16 * 1_024
    /// Most contacts that a search of names answers.
    public static let mostFound = 50
    /// Most contacts that are merged into one, itself included; a merge beyond it is refused.
    public static let mostMerged = 100

    /// Its name on the server: the UUID of the conversation that it was made with.
    public let id: ContactID
    /// Whose it is.
    public let business: BusinessID
    /// What agents call the person; nil until they do.
    public var name: String?
    /// The person's name in another system of the business, unique in the business; compared as bytes.
    public var externalID: String?
    /// Whether the external id came from the other system itself, by an API key; a person who changes the
    /// id clears it.
    public var isExternalIDVerified: Bool
    /// What agents wrote down about the person.
    public var notes: String
    /// The values of its attributes, by their keys.
    public var attributes: [String: AttributeValue]
    /// What integrations keep beside it; a merge leaves it where it is.
    public var metadata: Metadata
    /// Since when its customers are blocked; nil while they are not.
    public var blockedAt: Timestamp?
    /// What it was merged into; nil while it stands for itself.
    public var merge: ContactMerge?
    /// When the conversation was opened.
    public let createdAt: Timestamp

    /// Describes a contact.
    public init(
        id: ContactID, business: BusinessID, name: String? = nil, externalID: String? = nil,
        isExternalIDVerified: Bool = false, notes: String = "",
        attributes: [String: AttributeValue] = [:], metadata: Metadata = Metadata(),
        blockedAt: Timestamp? = nil, merge: ContactMerge? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.externalID = externalID
        self.isExternalIDVerified = isExternalIDVerified
        self.notes = notes
        self.attributes = attributes
        self.metadata = metadata
        self.blockedAt = blockedAt
        self.merge = merge
        self.createdAt = createdAt
    }

    /// The contact that begins with a conversation.
    public init(of conversation: Conversation) {
        self.init(
            id: ContactID(conversation.id.value), business: conversation.business,
            name: conversation.mergedContact == nil ? conversation.contactName : nil,
            blockedAt: conversation.blockedAt, createdAt: conversation.openedAt)
    }

    /// The conversation that it was made with.
    public var conversation: ConversationID { ConversationID(id.value) }
}

/// A contact with its place in the list of its business.
public struct ListedContact: Hashable, Sendable {
    /// The place; a later contact has a higher one.
    public let place: Int64
    /// The contact.
    public let contact: Contact

    /// Puts the two together.
    public init(place: Int64, contact: Contact) {
        self.place = place
        self.contact = contact
    }
}
