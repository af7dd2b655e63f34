import DeskStore

/// The steps of the schema's history that gave rows their checksums and conversations their revisions.
///
/// Each has its own column lists: what today's rows are covered by is in `RowLayout`.
extension Migrations {
    // MARK: Step 5

    /// Gives every row of the log a checksum.
    static func addFirstSums(on connection: Connection) throws(StoreError) {
        try connection.execute(sumColumns)
        try sumMessages(on: connection)
        try sum("events", key: "position", eventsOfStep5, on: connection)
        try sum("notes", key: "number", notesOfStep5, on: connection)
        try sum("conversations", key: "number", conversationsOfStep5, on: connection)
    }

    // The checksum lies before the payload, so that a row is verified without reading a large one.
    // Events up to the pruned position were deleted; before it nothing is missing. A quarantined
    // conversation (table `fenced`) accepts nothing more: its newest messages could not be read at
    // a start.
    private static let sumColumns = """
        ALTER TABLE messages RENAME TO unsealed;
        CREATE TABLE messages (
            position INTEGER PRIMARY KEY, conversation INTEGER NOT NULL,
            sequence INTEGER NOT NULL, previous INTEGER NOT NULL, id TEXT NOT NULL,
            time INTEGER NOT NULL, direction TEXT NOT NULL,
            kind TEXT NOT NULL, author_kind TEXT NOT NULL, author_name TEXT NOT NULL,
            origin TEXT NOT NULL, digest BLOB NOT NULL, posted BLOB, checksum INTEGER NOT NULL,
            summary TEXT NOT NULL, headers TEXT, warnings BLOB, template TEXT,
            template_version INTEGER, template_values BLOB, attachments TEXT, in_reply_to TEXT,
            entry_code TEXT, seal INTEGER, payload BLOB NOT NULL, UNIQUE (id, conversation));
        ALTER TABLE events ADD COLUMN seal INTEGER;
        ALTER TABLE notes ADD COLUMN seal INTEGER;
        ALTER TABLE conversations ADD COLUMN seal INTEGER;
        CREATE TABLE fenced (conversation INTEGER PRIMARY KEY);
        CREATE TABLE pruned (position INTEGER NOT NULL);
        INSERT INTO pruned SELECT coalesce(min(position), 1) - 1 FROM events;
        """

    private static let eventsOfStep5 = [
        "position", "type", "time", "business", "conversation", "subject", "data",
    ]

    private static let notesOfStep5 = [
        "conversation", "id", "time", "author_kind", "author_name", "text", "after_sequence",
    ]

    private static let messagesOfStep5 = [
        "position", "conversation", "sequence", "previous", "id", "time", "direction", "kind",
        "author_kind", "author_name", "origin", "digest", "posted", "checksum", "summary",
        "headers", "warnings", "template", "template_version", "template_values", "attachments",
        "in_reply_to", "entry_code",
    ]

    private static let conversationsOfStep5 = [
        "id", "business", "customer", "customer_name", "locale", "capabilities", "intent",
        "group_name", "state", "assignee", "snoozed_until", "has_left", "is_muted",
        "customer_floor", "opened_at", "newest", "last_id", "last_direction", "last_kind",
        "last_time", "last_summary", "unread", "read_up_to", "waiting_since", "activity", "head",
        "last_position",
    ]

    private static func sumMessages(on connection: Connection) throws(StoreError) {
        let columns = messagesOfStep5
        let marks = Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")
        let insert = try connection.prepare(
            "INSERT INTO messages (\(columns.joined(separator: ", ")), seal, payload) "
                + "VALUES (\(marks))")
        let rows = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")), payload FROM unsealed ORDER BY position")
        let count = Int32(columns.count)
        while try rows.step() {
            for column in 0..<count { try insert.bind(column: column, of: rows) }
            try insert.bind(sum(of: count, in: rows))
            try insert.bind(column: count, of: rows)
            try insert.run()
        }
        try connection.execute("DROP TABLE unsealed")
    }

    // MARK: Step 8

    /// Gives every first answer a checksum.
    static func addAnswerSums(on connection: Connection) throws(StoreError) {
        try connection.execute("ALTER TABLE answers ADD COLUMN seal INTEGER")
        let columns = [
            "scope", "body", "conversation", "message", "status", "answer", "answered_at",
        ]
        let scopes = try connection.prepare("SELECT scope FROM answers").all { $0.text() }
        let row = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM answers WHERE scope = ?")
        let update = try connection.prepare("UPDATE answers SET seal = ? WHERE scope = ?")
        for scope in scopes {
            try row.bind(scope)
            let made = try row.first { sum(of: Int32(columns.count), in: $0) }
            try update.bind(made)
            try update.bind(scope)
            try update.run()
        }
    }

    // MARK: Step 13

    private static let conversationsOfStep13 =
        conversationsOfStep5 + ["revision", "last_author_kind", "last_author_name"]

    /// Counts revisions and names the author of a last message.
    ///
    /// Events keep the checksums they have: those cover the new column only where it has a value.
    static func addRevisions(on connection: Connection) throws(StoreError) {
        try connection.execute(
            """
            ALTER TABLE events ADD COLUMN revision INTEGER;
            ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE conversations ADD COLUMN last_author_kind TEXT;
            ALTER TABLE conversations ADD COLUMN last_author_name TEXT;
            """)
        let keys = try connection.prepare("SELECT number FROM conversations")
            .all { $0.integer() }
        let before = conversationsOfStep5
        let old = try connection.prepare(
            "SELECT \(before.joined(separator: ", ")), seal FROM conversations WHERE number = ?")
        let update = try connection.prepare(
            """
            UPDATE conversations SET revision = newest, \
            last_author_kind = (SELECT author_kind FROM messages WHERE position = last_position), \
            last_author_name = (SELECT author_name FROM messages WHERE position = last_position) \
            WHERE number = ?
            """)
        let after = conversationsOfStep13
        let new = try connection.prepare(
            "SELECT \(after.joined(separator: ", ")) FROM conversations WHERE number = ?")
        let store = try connection.prepare("UPDATE conversations SET seal = ? WHERE number = ?")
        for key in keys {
            try old.bind(key)
            let count = Int32(before.count)
            // A damaged row stays one: it gets no checksum that would verify it.
            guard try old.first({ sum(of: count, in: $0) == $0.number(at: count) }) == true else {
                continue
            }
            try update.bind(key)
            try update.run()
            try new.bind(key)
            let made = try new.first { sum(of: Int32(after.count), in: $0) }
            try store.bind(made)
            try store.bind(key)
            try store.run()
        }
    }

    // MARK: What they share

    /// Gives every row of a table a checksum over some columns.
    private static func sum(
        _ table: String, key: String, _ columns: [String], on connection: Connection
    ) throws(StoreError) {
        let keys = try connection.prepare("SELECT \(key) FROM \(table)").all { $0.integer() }
        let row = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(key) = ?")
        let update = try connection.prepare("UPDATE \(table) SET seal = ? WHERE \(key) = ?")
        for key in keys {
            try row.bind(key)
            let made = try row.first { sum(of: Int32(columns.count), in: $0) }
            try update.bind(made)
            try update.bind(key)
            try update.run()
        }
    }

    /// The checksum over a row's first columns, as rows of these steps have it.
    private static func sum(of count: Int32, in row: Statement) -> Int64 {
        var sum = RowChecksum()
        for column in 0..<count { row.add(column, to: &sum) }
        return sum.value
    }
}
