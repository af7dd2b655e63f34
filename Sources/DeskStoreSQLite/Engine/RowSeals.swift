import DeskStore

/// The fifth step of the schema's history: every row of the log gets a seal.
enum RowSeals {
    static func add(on connection: Connection) throws(StoreError) {
        try connection.execute(tables)
        try sealMessages(on: connection)
        try seal("events", "position", events, of: "e", on: connection)
        try seal("notes", "number", NoteRows.sealed, of: "n", on: connection)
        try seal("conversations", "number", conversations, of: "c", on: connection)
    }

    // The columns that seals covered at this step; later ones are not there yet.
    private static let events =
        "e.position, e.type, e.time, e.business, e.conversation, e.subject, e.data"
    /// What the seal of a conversation's row covered before the row had a revision.
    static let conversations = """
        c.id, c.business, c.customer, c.customer_name, c.locale, c.capabilities, c.intent, \
        c.group_name, c.state, c.assignee, c.snoozed_until, c.has_left, c.is_muted, \
        c.customer_floor, c.opened_at, c.newest, c.last_id, c.last_direction, c.last_kind, \
        c.last_time, c.last_summary, c.unread, c.read_up_to, c.waiting_since, c.activity, c.head, \
        c.last_position
        """

    // The seal lies before the payload, so that a row is proven without reading a large one.
    // Events up to the pruned position were forgotten; before it nothing is missing.
    // A fenced conversation takes nothing more: its newest messages could not be read at a start.
    private static let tables = """
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

    private static func sealMessages(on connection: Connection) throws(StoreError) {
        let count = MessageColumns.sealedCount
        let marks = Array(repeating: "?", count: count + 2).joined(separator: ", ")
        let insert = try connection.prepare("INSERT INTO messages VALUES (\(marks))")
        let rows = try connection.prepare(
            "SELECT \(MessageColumns.sealed), m.payload FROM unsealed m ORDER BY m.position")
        while try rows.step() {
            insert.beginSeal()
            for column in 0..<Int32(count) { try insert.bind(column: column, of: rows) }
            try insert.bindSeal()
            try insert.bind(column: Int32(count), of: rows)
            try insert.run()
        }
        try connection.execute("DROP TABLE unsealed")
    }

    private static func seal(
        _ table: String, _ key: String, _ columns: String, of letter: String,
        on connection: Connection
    ) throws(StoreError) {
        let keys = try connection.prepare("SELECT \(key) FROM \(table)").all { $0.integer() }
        let row = try connection.prepare(
            "SELECT \(columns) FROM \(table) \(letter) WHERE \(letter).\(key) = ?")
        let update = try connection.prepare("UPDATE \(table) SET seal = ? WHERE \(key) = ?")
        let count = Int32(columns.split(separator: ",").count)
        for key in keys {
            try row.bind(key)
            let seal = try row.first { row in
                var seal = RowSeal()
                for column in 0..<count { row.add(column, to: &seal) }
                return seal.value
            }
            try update.bind(seal)
            try update.bind(key)
            try update.run()
        }
    }
}
