public import DeskModel

/// What erasing by age reads: heads of messages and notes, and no content.
public protocol AgedContent: Sendable {
    /// Lists the messages with content behind a position, of all businesses, by position.
    ///
    /// Limit: `AgedMessage.stride` positions, whether there is a message at them or not.
    func agedMessages(after position: Position) async throws(StoreError) -> [AgedMessage]
    /// Lists the notes with a text behind a number, of all businesses, by number.
    ///
    /// Limit: `AgedNote.stride` numbers.
    func agedNotes(after number: Int64) async throws(StoreError) -> [AgedNote]
    /// The number of the newest note; 0 where there is none.
    func newestNote() async throws(StoreError) -> Int64
    /// Counts the messages with content of a business that are from before a moment, and lie behind a position.
    ///
    /// Limit: as of `agedMessages`.
    func countMessages(
        of business: BusinessID, before time: Timestamp, after position: Position
    ) async throws(StoreError) -> [AgedCount]
    /// Counts notes in the same way.
    func countNotes(
        of business: BusinessID, before time: Timestamp, after number: Int64
    ) async throws(StoreError) -> [AgedCount]
}

/// The head of a message whose content is there; its place is its position.
public typealias AgedMessage = Aged<MessageID>
/// The head of a note whose text is there; its place is the number of its row.
public typealias AgedNote = Aged<NoteID>

/// The head of what is erased for its age.
public struct Aged<ID: Hashable & Sendable>: Hashable, Sendable {
    /// How many places are looked at by one reading.
    public static var stride: Int64 { 4_096 }

    /// Where it lies.
    public let place: Int64
    /// When it was written.
    public let time: Timestamp
    /// Its name in its conversation.
    public let id: ID
    /// Its conversation.
    public let conversation: ConversationID
    /// Whose it is.
    public let business: BusinessID

    /// Puts a head together.
    public init(
        at place: Int64, time: Timestamp, id: ID, conversation: ConversationID,
        business: BusinessID
    ) {
        self.place = place
        self.time = time
        self.id = id
        self.conversation = conversation
        self.business = business
    }
}

/// How much of one conversation is old.
public struct AgedCount: Hashable, Sendable {
    /// Which conversation.
    public let conversation: ConversationID
    /// How many messages, or notes.
    public let count: Int
    /// When the oldest of them was written.
    public let oldest: Timestamp

    /// Puts a count together.
    public init(conversation: ConversationID, count: Int, oldest: Timestamp) {
        self.conversation = conversation
        self.count = count
        self.oldest = oldest
    }
}
