public import DeskModel

/// What an erasure of a whole conversation or person has to find.
public protocol ErasureViews: Sendable {
    /// How much of a conversation there is to erase; nil when there is no such conversation.
    func erasureCounts(of conversation: ConversationID) async throws(StoreError) -> ErasureCounts?

    /// Finds the events of contacts that name one of these, in a part of the log.
    ///
    /// Order: by position. Limit: 10,000 positions of the log are looked through; with nil they begin where the first of
    /// the contacts did.
    func contactEvents(
        naming contacts: [ContactID], of business: BusinessID, after position: Position?
    ) async throws(StoreError) -> FoundContactEvents
}

/// How much there is to erase.
public struct ErasureCounts: Hashable, Sendable {
    /// Messages that are not erased; those whose erasure is no event any more are counted too.
    public var messages = 0
    /// Notes with a text.
    public var notes = 0
    /// Files that its messages name.
    public var files = 0
    /// Messages that are to be sent, and those that were refused when they were due.
    public var scheduled = 0
    /// What agents have begun to write.
    public var drafts = 0
    /// Suggested answers.
    public var suggestions = 0

    /// Nothing.
    public init() {}

    /// Adds what there is in another conversation.
    public static func += (sum: inout ErasureCounts, other: ErasureCounts) {
        sum.messages += other.messages
        sum.notes += other.notes
        sum.files += other.files
        sum.scheduled += other.scheduled
        sum.drafts += other.drafts
        sum.suggestions += other.suggestions
    }
}

/// Events of contacts that were found.
public struct FoundContactEvents: Hashable, Sendable {
    /// Where they lie.
    public let positions: [Position]
    /// Up to where the log was looked through; nil at its end.
    public let next: Position?

    /// Puts the two together.
    package init(positions: [Position], next: Position?) {
        self.positions = positions
        self.next = next
    }
}
