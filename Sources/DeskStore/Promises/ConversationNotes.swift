public import DeskModel

/// Where a note stands among those of its conversation.
public struct NotePlace: Hashable, Sendable {
    /// Before the first.
    public static let beginning = NotePlace(afterSequence: .start, number: 0)

    /// The message that it is behind.
    let afterSequence: SequenceNumber
    /// The number of its row.
    let number: Int64

    /// Puts a place together.
    package init(afterSequence: SequenceNumber, number: Int64) {
        self.afterSequence = afterSequence
        self.number = number
    }

    /// The values of a place as rows have them.
    package var values: (afterSequence: Int64, number: Int64) { (afterSequence.value, number) }
}

/// Some notes of a conversation; one that cannot be read is left out.
public struct ConversationNotes: Sendable {
    /// The notes in their order.
    public let notes: [Note]
    /// Behind which the next ones are; nil at the end.
    public let next: NotePlace?

    /// Puts a page together.
    package init(notes: [Note], next: NotePlace?) {
        self.notes = notes
        self.next = next
    }
}
