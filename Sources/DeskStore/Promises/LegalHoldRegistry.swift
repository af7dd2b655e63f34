public import DeskModel

/// What businesses keep from being erased; holds are placed and released through the log, in the order of erasures.
public protocol LegalHoldRegistry: Sendable {
    /// Lists the holds on conversations of a business, the newest first.
    ///
    /// Limit: `limit` holds, at most 300.
    func legalHolds(
        of business: BusinessID, at edge: PageEdge<Int64>, limit: Int
    ) async throws(StoreError) -> Page<LegalHold>
    /// Finds the holds that keep some conversations: their own, in no order, and first that of their business.
    func legalHolds(
        on conversations: [ConversationID], of business: BusinessID
    ) async throws(StoreError) -> [LegalHold]
    /// What a business keeps, for those who look through all of its content.
    func heldContent(of business: BusinessID) async throws(StoreError) -> HeldContent
}

/// What a business keeps from being erased.
public struct HeldContent: Hashable, Sendable {
    /// Whether that is everything.
    public var isEverything: Bool
    /// The conversations that are kept one by one.
    public var conversations: Set<ConversationID>

    /// Puts the two together.
    public init(isEverything: Bool = false, conversations: Set<ConversationID> = []) {
        self.isEverything = isEverything
        self.conversations = conversations
    }

    /// Whether a conversation of the business is kept.
    public func contains(_ conversation: ConversationID) -> Bool {
        isEverything || conversations.contains(conversation)
    }
}

/// Places holds of one business for one reason; one that is there gets the reason instead of its own.
///
/// Refused as `notFound` without the business, and for a conversation that is not of it, and as `unusable` for one hold
/// too many; then none is placed.
public struct PlaceLegalHolds: WriteStep {
    let subjects: [LegalHold.Subject]
    let business: BusinessID
    let reason: String
    let author: Author
    let time: Timestamp

    /// Says what is kept, and why.
    public init(
        on subjects: [LegalHold.Subject], of business: BusinessID, reason: String,
        by author: Author, at time: Timestamp
    ) {
        self.subjects = subjects
        self.business = business
        self.reason = reason
        self.author = author
        self.time = time
    }

    /// Answers with how many were placed or got another reason.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Int {
        try decision.place(self)
    }
}

/// Releases holds of one business; what is on none stays as it is.
///
/// Refused as `notFound` without the business.
public struct ReleaseLegalHolds: WriteStep {
    let subjects: [LegalHold.Subject]
    let business: BusinessID
    let author: Author

    /// Says what is no longer kept.
    public init(on subjects: [LegalHold.Subject], of business: BusinessID, by author: Author) {
        self.subjects = subjects
        self.business = business
        self.author = author
    }

    /// Answers with how many were released.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Int {
        try decision.release(self)
    }
}
