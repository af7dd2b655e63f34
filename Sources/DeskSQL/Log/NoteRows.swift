package import DeskModel
package import DeskStore

/// How notes are read.
package enum NoteRows {
    /// The columns that the checksum covers, of `notes n`: every one but the number.
    package static let covered = RowLayout.notes.list(of: "n")

    package static let byNumber = "SELECT \(covered), n.seal FROM notes n WHERE n.number = ?"

    /// The names of its conversation and business, then the note.
    package static let numbered = """
        SELECT c.id, b.id, \(covered), n.seal FROM notes n \
        JOIN conversations c ON c.number = n.conversation \
        JOIN businesses b ON b.number = c.business WHERE n.number = ?
        """

    // The index of notes leads to those of the conversation.
    package static let byID = """
        SELECT n.number, \(covered), n.seal FROM notes n WHERE n.conversation = ? AND n.id = ?
        """

    package static let ofThread = """
        SELECT \(covered), n.seal FROM notes n JOIN conversations c ON c.number = n.conversation \
        WHERE c.id = ? AND n.after_sequence BETWEEN ? AND ? \
        ORDER BY n.after_sequence DESC, n.number DESC LIMIT 300
        """

    /// The place of each note, then the note: those behind a place.
    package static let behind = """
        SELECT n.after_sequence, n.number, \(covered), n.seal FROM notes n \
        JOIN conversations c ON c.number = n.conversation \
        WHERE c.id = ? AND n.after_sequence >= ? AND (n.after_sequence > ? OR n.number > ?) \
        ORDER BY n.after_sequence, n.number LIMIT ?
        """

    /// Reads a note and verifies its row.
    ///
    /// - Throws: `damaged`.
    package static func read(_ row: any SQLStatement) throws(StoreError) -> Note {
        guard let covered = row.verifiedColumns(.notes) else {
            throw StoreError(.damaged, "a note")
        }
        row.skip(1)
        let id = NoteID(try row.id())
        let time = row.time()
        let kind = row.text()
        var note = Note(
            id: id, time: time, author: try row.value { Author(kind: kind, name: $0) },
            text: row.text(), afterSequence: SequenceNumber(max(0, row.integer())))
        let mentions = row.textIfAny()
        let (editedAt, deletedAt) = (row.timeIfAny(), row.timeIfAny())
        // Rows of before are not covered this far.
        guard covered == RowLayout.notes.count else { return note }
        if let mentions, !RowFields.readMentions(mentions, into: &note) {
            throw StoreError(.damaged, "a note's mentions")
        }
        note.editedAt = editedAt
        note.deletedAt = deletedAt
        return note
    }
}
