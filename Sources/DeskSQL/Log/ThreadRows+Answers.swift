package import DeskModel
package import DeskStore

extension ThreadRows {
    /// Where a message of a thread lies; nil when there is none of the number, or it cannot be found.
    package static func position(
        of sequence: SequenceNumber, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        guard sequence > .start, sequence <= one.conversation.newest else { return nil }
        return try places(
            of: sequence.value, through: sequence.value, in: one, on: sql
        ).first?.position
    }

    /// Messages that are looked through at most for an answer.
    private static let answersLookedAt = 300

    /// Whether another sender than an author wrote to the customer after a message.
    ///
    /// Limit: of a sender who is further behind the newest messages are looked at alone.
    package static func isAnswered(
        after sequence: SequenceNumber, beside author: Author, in one: ConversationRow,
        on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                SELECT sequence, previous, direction, author_kind, author_name FROM messages \
                WHERE position = ?
                """)
        var position = one.end
        for _ in 0..<answersLookedAt where position > 0 {
            try statement.bind(position)
            let found = try statement.first { row throws(StoreError) in
                let (number, previous) = (row.integer(), row.integer())
                let isOutbound = row.text() == Direction.outbound.rawValue
                let kind = row.text()
                let writer = try row.value { Author(kind: kind, name: $0) }
                return (
                    number, previous, isOutbound && writer != author && !writer.isByItself
                )
            }
            guard let (number, previous, isOther) = found, number > sequence.value else {
                return false
            }
            if isOther { return true }
            position = previous
        }
        return false
    }

    /// Whether anybody but the server and its rules wrote to the customer since it was opened last.
    static func wasAnswered(
        sinceOpening one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        // The second condition is the index's.
        let opening = try sql.statement(
            literal: """
                SELECT position FROM events WHERE conversation = ? \
                AND type != 'message.accepted' \
                AND type IN ('conversation.reopened', 'conversation.opened') \
                ORDER BY position DESC LIMIT 1
                """)
        try opening.bind(one.number)
        let begin = try opening.first { $0.integer() } ?? 0
        let statement = try sql.statement(
            literal: """
                SELECT previous, direction, author_kind, author_name FROM messages \
                WHERE position = ?
                """)
        var position = one.end
        for _ in 0..<answersLookedAt where position > begin {
            try statement.bind(position)
            let found = try statement.first { row throws(StoreError) in
                let previous = row.integer()
                let isOutbound = row.text() == Direction.outbound.rawValue
                let kind = row.text()
                let writer = try row.value { Author(kind: kind, name: $0) }
                return (previous, isOutbound && !writer.isByItself)
            }
            guard let (previous, isAnswer) = found else { return false }
            if isAnswer { return true }
            position = previous
        }
        return false
    }
}
