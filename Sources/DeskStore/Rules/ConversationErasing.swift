public import DeskModel

/// Erases what lies beside the messages and notes of a conversation: what colleagues began to write, suggested
/// answers, metadata, attributes, and every copy that was kept of its requests.
///
/// Refused as `notFound` where there is no such conversation, and as `onHold` while it is kept. What is empty already stays as it is.
public struct ConversationErasing: WriteStep {
    /// The conversation.
    public let conversation: ConversationID
    /// Who orders it.
    public let author: Author
    /// When.
    public let time: Timestamp
    /// Whether the erasure of the conversation begins with it; otherwise it ends.
    ///
    /// The audit says both.
    public let isBeginning: Bool

    /// Puts an order together.
    public init(
        _ conversation: ConversationID, by author: Author, at time: Timestamp, isBeginning: Bool
    ) {
        self.conversation = conversation
        self.author = author
        self.time = time
        self.isBeginning = isBeginning
    }

    /// Decides the order; the answer is the conversation as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Conversation {
        try decision.erase(self)
    }
}

/// Erases what a business knows of a person: of a contact, and of all that were merged into it.
///
/// The contacts stay, empty, and those who are blocked stay blocked. Refused as `notFound`, as `alreadyMerged` for one
/// that was merged into another, and as `onHold` while the conversation of one of them is kept.
public struct ContactErasing: WriteStep {
    /// The contact.
    public let id: ContactID
    /// Whose it is.
    public let business: BusinessID
    /// Who orders it.
    public let author: Author
    /// When.
    public let time: Timestamp

    /// Puts an order together.
    public init(
        _ id: ContactID, of business: BusinessID, by author: Author, at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.author = author
        self.time = time
    }

    /// Decides the order; the answer is the contact as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Contact {
        try decision.erase(self)
    }
}

/// Empties what events of contacts said of a person: names, external ids and the values of attributes.
///
/// Refused as `notFound` where there is no such business, and as `onHold` while the conversation of one of them is kept.
public struct ContactEventErasing: WriteStep {
    /// Where the events lie; those of other types and businesses stay as they are.
    public let positions: [Position]
    /// The contacts that the events are about.
    public let contacts: [ContactID]
    /// Whose they are.
    public let business: BusinessID

    /// Puts an order together.
    public init(
        _ positions: [Position], about contacts: [ContactID], of business: BusinessID
    ) {
        self.positions = positions
        self.contacts = contacts
        self.business = business
    }

    /// Decides the order.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.erase(self)
    }
}
