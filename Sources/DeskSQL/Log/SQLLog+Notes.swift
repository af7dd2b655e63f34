public import DeskModel
public import DeskStore

extension SQLLog {
    /// Lists the numbers of notes after a number.
    public func noteNumbers(after number: Int64) async throws(StoreError) -> [Int64] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: "SELECT number FROM notes WHERE number > ? ORDER BY number LIMIT 300")
            try statement.bind(number)
            return try statement.all { $0.integer() }
        }
    }

    /// Reads the notes with some numbers; what is missing or damaged is left out.
    public func notes(numbered numbers: [Int64]) async throws(StoreError) -> [NumberedNote] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(NoteRows.numbered)
            var found: [NumberedNote] = []
            for number in numbers {
                try statement.bind(number)
                do throws(StoreError) {
                    let one = try statement.first { row throws(StoreError) in
                        let conversation = ConversationID(try row.id())
                        let business = BusinessID(try row.id())
                        return NumberedNote(
                            number: number, note: try NoteRows.read(row),
                            conversation: conversation, business: business)
                    }
                    if let one { found.append(one) }
                } catch {
                    guard error.code == .damaged else { throw error }
                }
            }
            return found
        }
    }

    /// Reads the notes behind a place, in the order in which they were written.
    public func notes(
        in conversation: ConversationID, behind place: NotePlace, limit: Int
    ) async throws(StoreError) -> ConversationNotes {
        let limit = min(max(limit, 1), 300)
        let damaged = damaged
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(NoteRows.behind)
            let values = place.values
            try statement.bind(conversation.value)
            try statement.bind(values.afterSequence)
            try statement.bind(values.afterSequence)
            try statement.bind(values.number)
            try statement.bind(Int64(limit))
            let rows = try statement.all { row throws(StoreError) -> (NotePlace, Note?) in
                let sequence = SequenceNumber(max(0, row.integer()))
                let place = NotePlace(afterSequence: sequence, number: row.integer())
                do throws(StoreError) {
                    return (place, try NoteRows.read(row))
                } catch {
                    guard error.code == .damaged else { throw error }
                    damaged(Damage("note", conversation: conversation, reason: "cannot be read"))
                    return (place, nil)
                }
            }
            return ConversationNotes(
                notes: rows.compactMap { $0.1 }, next: rows.count == limit ? rows.last?.0 : nil)
        }
    }

    /// Whether a conversation has a note of this name.
    public func hasNote(
        _ id: NoteID, in conversation: ConversationID
    ) async throws(StoreError) -> Bool {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT n.number FROM notes n JOIN conversations c ON c.number = n.conversation \
                    WHERE c.id = ? AND n.id = ?
                    """)
            try statement.bind(conversation.value)
            try statement.bind(id.value)
            return try statement.first { $0.integer() } != nil
        }
    }

    /// Which notes changed after a position.
    public func noteChanges(after position: Position) async throws(StoreError) -> NoteChanges {
        let end = Position(min(newest.value, position.value + 10_000))
        guard position < end else { return NoteChanges(numbers: [], end: position) }
        return try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT DISTINCT subject FROM events WHERE position > ? AND position <= ? \
                    AND type IN ('note.added', 'note.edited', 'note.deleted') \
                    AND subject IS NOT NULL
                    """)
            try statement.bind(position.value)
            try statement.bind(end.value)
            return NoteChanges(numbers: try statement.all { $0.integer() }, end: end)
        }
    }
}
