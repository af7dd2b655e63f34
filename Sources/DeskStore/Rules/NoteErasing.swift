public import DeskModel

/// Empties the texts of some notes of one conversation, by any authors; what is empty already stays as it is.
///
/// A note stays in its place as one that its author deleted does. Refused as `notFound` when one of them
/// is unknown, and as `onHold` while one that has a text is kept: then none is emptied.
public struct NoteErasing: WriteStep {
    /// Whose notes they are.
    public let conversation: ConversationID
    /// The notes, at most `mostAtOnce`.
    public let notes: [NoteID]
    /// When.
    public let time: Timestamp

    /// Most notes of an order: a page of them.
    public static let mostAtOnce = 300

    /// Puts an order together.
    public init(_ notes: [NoteID], in conversation: ConversationID, at time: Timestamp) {
        self.notes = notes
        self.conversation = conversation
        self.time = time
    }

    /// Decides the order; the answer is the notes that were emptied by it.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> [NoteID] {
        try decision.erase(self)
    }
}
