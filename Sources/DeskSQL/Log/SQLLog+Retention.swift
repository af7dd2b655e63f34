public import DeskModel
public import DeskStore

/// Heads of old content, read in the order of the rows' keys: no index of messages has their times.
extension SQLLog {
    /// Lists the messages with content behind a position, of all businesses, by position.
    public func agedMessages(
        after position: Position
    ) async throws(StoreError) -> [AgedMessage] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT m.position, m.time, m.id, c.id, b.id FROM messages m \
                    JOIN conversations c ON c.number = m.conversation \
                    JOIN businesses b ON b.number = c.business \
                    WHERE m.position > ? AND m.position <= ? AND m.erased_at IS NULL \
                    ORDER BY m.position
                    """)
            try statement.bind(position.value)
            try statement.bind(position.value + AgedMessage.stride)
            return try statement.all { row throws(StoreError) -> AgedMessage? in
                let (place, time) = (max(0, row.integer()), row.time())
                // An id that is none is damage, which those find who read the row.
                guard let id = MessageID(row.text()) else { return nil }
                return AgedMessage(
                    at: place, time: time, id: id,
                    conversation: ConversationID(try row.id()),
                    business: BusinessID(try row.id()))
            }.compactMap { $0 }
        }
    }

    /// Lists the notes with a text behind a number, of all businesses, by number.
    public func agedNotes(after number: Int64) async throws(StoreError) -> [AgedNote] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT n.number, n.time, n.id, c.id, b.id FROM notes n \
                    JOIN conversations c ON c.number = n.conversation \
                    JOIN businesses b ON b.number = c.business \
                    WHERE n.number > ? AND n.number <= ? AND n.deleted_at IS NULL \
                    ORDER BY n.number
                    """)
            try statement.bind(number)
            try statement.bind(number + AgedNote.stride)
            return try statement.all { row throws(StoreError) in
                AgedNote(
                    at: row.integer(), time: row.time(), id: NoteID(try row.id()),
                    conversation: ConversationID(try row.id()),
                    business: BusinessID(try row.id()))
            }
        }
    }

    /// The number of the newest note; 0 where there is none.
    public func newestNote() async throws(StoreError) -> Int64 {
        try await readRegistry { sql throws(StoreError) in
            try sql.statement(literal: "SELECT max(number) FROM notes").first { $0.integer() } ?? 0
        }
    }

    /// Counts the messages with content of a business that are from before a moment, and lie behind a position.
    public func countMessages(
        of business: BusinessID, before time: Timestamp, after position: Position
    ) async throws(StoreError) -> [AgedCount] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT c.id, count(*), min(m.time) FROM messages m \
                    JOIN conversations c ON c.number = m.conversation \
                    JOIN businesses b ON b.number = c.business \
                    WHERE m.position > ? AND m.position <= ? AND m.erased_at IS NULL \
                    AND m.time < ? AND b.id = ? GROUP BY c.id
                    """)
            return try AgedRows.count(
                statement, behind: position.value, stride: AgedMessage.stride, time, business)
        }
    }

    /// Counts notes in the same way.
    public func countNotes(
        of business: BusinessID, before time: Timestamp, after number: Int64
    ) async throws(StoreError) -> [AgedCount] {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT c.id, count(*), min(n.time) FROM notes n \
                    JOIN conversations c ON c.number = n.conversation \
                    JOIN businesses b ON b.number = c.business \
                    WHERE n.number > ? AND n.number <= ? AND n.deleted_at IS NULL \
                    AND n.time < ? AND b.id = ? GROUP BY c.id
                    """)
            return try AgedRows.count(
                statement, behind: number, stride: AgedNote.stride, time, business)
        }
    }
}

private enum AgedRows {
    static func count(
        _ statement: any SQLStatement, behind place: Int64, stride: Int64, _ time: Timestamp,
        _ business: BusinessID
    ) throws(StoreError) -> [AgedCount] {
        try statement.bind(place)
        try statement.bind(place + stride)
        try statement.bind(time)
        try statement.bind(business.value)
        return try statement.all { row throws(StoreError) in
            AgedCount(
                conversation: ConversationID(try row.id()), count: Int(row.integer()),
                oldest: row.time())
        }
    }
}
