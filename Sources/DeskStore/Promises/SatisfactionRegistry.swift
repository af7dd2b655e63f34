public import DeskModel

/// Whether and how customers of a business are asked, as a store has it.
public struct StoredSatisfaction: Hashable, Sendable {
    /// When they are asked; nil while they are not.
    public let plan: SatisfactionPlan?
    /// What was chosen, a JSON object's text.
    public let data: [UInt8]

    /// Puts the two together.
    public init(_ plan: SatisfactionPlan?, _ data: [UInt8]) {
        self.plan = plan
        self.data = data
    }
}

/// Whether and how customers are asked how satisfied they are; chosen through the log.
public protocol SatisfactionRegistry: Sendable {
    /// Finds what a business chose; nil where it never chose.
    func satisfaction(of business: BusinessID) async throws(StoreError) -> StoredSatisfaction?
}

/// What the log says of conversations whose customers may be asked.
public protocol SatisfactionViews: Sendable {
    /// Whether anybody but the server and its rules wrote to the customer since the conversation was
    /// opened last; false where there is no such conversation.
    ///
    /// Limit: the newest 300 messages are looked at.
    func wasAnswered(sinceOpening conversation: ConversationID) async throws(StoreError) -> Bool
}

/// Chooses whether and how customers of a business are asked, and appends the event of it.
///
/// Refused as `notFound` without the business.
public struct SaveSatisfaction: WriteStep {
    let chosen: StoredSatisfaction
    let business: BusinessID
    let event: [UInt8]
    let author: Author
    let time: Timestamp

    /// Says who chooses what.
    ///
    /// - Parameter event: what the event says, a JSON object's text.
    public init(
        _ chosen: StoredSatisfaction, of business: BusinessID, event: [UInt8], by author: Author,
        at time: Timestamp
    ) {
        self.chosen = chosen
        self.business = business
        self.event = event
        self.author = author
        self.time = time
    }

    /// Replaces what was chosen before.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.save(self)
    }
}
