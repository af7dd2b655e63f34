import DeskModel
import DeskStore

/// The notes of a conversation in their order, of which one page is held.
struct TranscriptNotes {
    private let conversation: ConversationID
    private var waiting: ArraySlice<Note> = []
    private var place: NotePlace?

    /// Begins before the first note; an empty one reads none.
    init(of conversation: ConversationID, isEmpty: Bool) {
        self.conversation = conversation
        place = isEmpty ? nil : .beginning
    }

    /// The next notes that stand before a message, or with nil the next ones; empty when there are none.
    ///
    /// Limit: `Transcript.pageSize`.
    mutating func next(
        before end: SequenceNumber?, from store: any Store
    ) async throws(StoreError) -> [Note] {
        // A page may have damaged notes alone.
        while waiting.isEmpty, let behind = place {
            let page = try await store.notes(
                in: conversation, behind: behind, limit: Transcript.pageSize)
            waiting = page.notes[...]
            place = page.next
        }
        let found = waiting.prefix { note in end.map { note.afterSequence < $0 } ?? true }
        waiting = waiting.dropFirst(found.count)
        return Array(found)
    }
}
