package import DeskModel
package import DeskStore

/// The skip index of threads: an old range is found without walking from the thread's end.
package enum SkipIndex {
    /// Messages from one entry to the next.
    package static let distance: Int64 = 32

    /// Whether a message gets an entry.
    package static func isDue(at sequence: SequenceNumber) -> Bool {
        sequence.value.isMultiple(of: distance)
    }

    package static func add(
        _ position: Int64, at sequence: SequenceNumber, in conversation: Int64,
        on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "INSERT INTO milestones (key, position) VALUES (?, ?)")
        try statement.bind(key(conversation, sequence.value))
        try statement.bind(position)
        try statement.run()
    }

    /// Where to begin walking back to a message: at the first entry not before it, or at the end.
    package static func start(
        for sequence: Int64, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> ThreadPlace {
        let end = ThreadPlace(sequence: one.conversation.newest.value, position: one.end)
        guard one.conversation.newest.value - sequence >= distance else { return end }
        let statement = try sql.statement(
            literal: """
                SELECT key, position FROM milestones WHERE key >= ? AND key < ? \
                ORDER BY key LIMIT 1
                """)
        try statement.bind(key(one.number, sequence))
        try statement.bind(key(one.number + 1, 0))
        return try statement.first { row in
            ThreadPlace(sequence: row.integer() & 0xFFFF_FFFF, position: row.integer())
        } ?? end
    }

    /// Where the message of an entry lies; nil when there is no such entry.
    package static func position(
        of sequence: Int64, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> Int64? {
        let statement = try sql.statement(
            literal: "SELECT position FROM milestones WHERE key = ?")
        try statement.bind(key(one.number, sequence))
        return try statement.first { $0.integer() }
    }

    /// Where to go on below a message whose link back cannot be read; nil when nothing leads there.
    package static func next(
        below sequence: Int64, in one: ConversationRow, on sql: any SQLSession
    ) throws(StoreError) -> ThreadPlace? {
        let statement = try sql.statement(
            literal: """
                SELECT key, position FROM milestones WHERE key > ? AND key < ? \
                ORDER BY key DESC LIMIT 1
                """)
        try statement.bind(key(one.number, 0))
        try statement.bind(key(one.number, sequence))
        return try statement.first { row in
            ThreadPlace(sequence: row.integer() & 0xFFFF_FFFF, position: row.integer())
        }
    }

    private static func key(_ conversation: Int64, _ sequence: Int64) -> Int64 {
        conversation << 32 | sequence
    }
}

/// A message's number in its conversation and its place in the log.
package struct ThreadPlace {
    package let sequence: Int64
    /// Nil when nothing that can be read leads there.
    package let position: Int64?
}
