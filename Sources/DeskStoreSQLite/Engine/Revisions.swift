import DeskStore

/// The step of the schema's history that counts revisions and names the author of a last message.
///
/// Events keep the seals they have: theirs covers the new column only where it has a value.
enum Revisions {
    /// How many columns the seal of a conversation's row covered before.
    private static let sealedBefore = 27

    static func add(on connection: Connection) throws(StoreError) {
        try connection.execute(
            """
            ALTER TABLE events ADD COLUMN revision INTEGER;
            ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE conversations ADD COLUMN last_author_kind TEXT;
            ALTER TABLE conversations ADD COLUMN last_author_name TEXT;
            """)
        let keys = try connection.prepare("SELECT number FROM conversations")
            .all { $0.integer() }
        let old = try connection.prepare(
            "SELECT \(RowSeals.conversations), c.seal FROM conversations c WHERE c.number = ?")
        let update = try connection.prepare(
            """
            UPDATE conversations SET revision = newest, \
            last_author_kind = (SELECT author_kind FROM messages WHERE position = last_position), \
            last_author_name = (SELECT author_name FROM messages WHERE position = last_position) \
            WHERE number = ?
            """)
        let new = try connection.prepare(
            "SELECT \(ConversationColumns.sealed) FROM conversations c WHERE c.number = ?")
        let seal = try connection.prepare("UPDATE conversations SET seal = ? WHERE number = ?")
        for key in keys {
            try old.bind(key)
            // A damaged row stays one: it gets no seal that would prove it whole.
            guard try old.first({ $0.provesWhole(sealedBefore) }) == true else { continue }
            try update.bind(key)
            try update.run()
            try new.bind(key)
            let made = try new.first { row in
                var seal = RowSeal()
                for column in 0..<Int32(ConversationColumns.sealedCount) {
                    row.add(column, to: &seal)
                }
                return seal.value
            }
            try seal.bind(made)
            try seal.bind(key)
            try seal.run()
        }
    }
}
