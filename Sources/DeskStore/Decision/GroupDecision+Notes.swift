import DeskModel

extension GroupDecision {
    /// Adds a note for colleagues.
    mutating func add(_ step: AddNote) throws(Undecided) -> Note {
        let place = try require(step.conversation)
        var row = row(at: place)
        let note = Note(
            id: step.id, time: step.time, author: step.author, text: step.text,
            afterSequence: row.conversation.newest, mentions: step.mentions)
        changes.append(.note(note, conversation: place))
        row.conversation.activity = Position(newest + 1)
        append(.noteAdded, to: &row, at: place, body: .note(note), note: .added, at: step.time)
        keep(row, at: place, .ofItsRow)
        return note
    }

    /// Changes the text of a note, or with nil empties it for good; its author alone may.
    ///
    /// The note stays in its place, and says when it was changed. Refused as `notAuthor` for others, and
    /// as `noteDeleted` for a text in place of one that was deleted.
    mutating func change(_ step: ChangeNote) throws(Undecided) -> Note {
        let place = try require(step.conversation)
        let key = FoundRows.NoteKey(id: step.id, conversation: step.conversation)
        guard let found = rows.notes[key] else {
            throw .needs(.note(step.id, in: step.conversation))
        }
        guard let known = found else { throw .refused(.notFound) }
        var note = known.note
        guard note.author == step.author else { throw .refused(.notAuthor) }
        if let text = step.text {
            guard note.deletedAt == nil else { throw .refused(.noteDeleted) }
            guard note.text != text || note.mentions != step.mentions else { return note }
            note.text = text
            note.mentions = step.mentions
            note.editedAt = step.time
        } else {
            guard note.deletedAt == nil else { return note }
            note.text = ""
            note.mentions = []
            note.deletedAt = step.time
        }
        var row = row(at: place)
        changes.append(.changedNote(note, number: known.number, conversation: place))
        append(
            note.deletedAt == nil ? .noteEdited : .noteDeleted, to: &row, at: place,
            body: .note(note), note: .known(known.number), at: step.time)
        keep(row, at: place, .inItsEvents)
        rows.notes.updateValue(KnownNote(number: known.number, note: note), forKey: key)
        return note
    }
}
