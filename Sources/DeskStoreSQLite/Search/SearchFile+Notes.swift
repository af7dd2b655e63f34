import DeskModel
import DeskStore

/// The words of notes in the index's file: in a table that knows its texts, since notes are edited and deleted.
extension SearchFileWriter {
    /// What makes its tables, also in a file of a program that did not index notes.
    static let noteTables = """
        CREATE TABLE IF NOT EXISTS note_state (filled INTEGER, position INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS note_removal (place INTEGER PRIMARY KEY CHECK (place = 1));
        CREATE VIRTUAL TABLE IF NOT EXISTS note_words USING fts5 (words, business UNINDEXED, \
        prefix = '3 4 5', tokenize = 'ascii');
        """

    /// How far the notes were read; before the first reading they begin, with what changes from a position on.
    func noteCursor(beginningAt newest: Position) throws(StoreError) -> NoteCursor {
        let connection = try requireConnection()
        let known = try connection.prepare("SELECT filled, position FROM note_state").first { row in
            NoteCursor(filled: row.integerIfAny(), position: Position(max(0, row.integer())))
        }
        if let known, known.position <= newest { return known }
        let cursor = NoteCursor(position: newest)
        try connection.statement(literal: "BEGIN IMMEDIATE").run()
        try connection.execute("DELETE FROM note_words; DELETE FROM note_state")
        try write(cursor, on: connection)
        try connection.statement(literal: "COMMIT").run()
        return cursor
    }

    /// Replaces the words of notes, and remembers how far they were read, both or neither.
    ///
    /// Returns whether words were removed: they stay in the pieces of the index until `mergeNotes`, and the file
    /// remembers that.
    func replace(_ batch: NoteBatch) throws(StoreError) -> Bool {
        let connection = try requireConnection()
        var removed = 0
        try connection.statement(literal: "BEGIN IMMEDIATE").run()
        do {
            let remove = try connection.statement(
                literal: "DELETE FROM note_words WHERE rowid = ?")
            for number in batch.numbers {
                try remove.bind(number)
                removed += try remove.runCounting()
            }
            let add = try connection.statement(
                literal: "INSERT INTO note_words (rowid, words, business) VALUES (?, ?, ?)")
            for row in batch.rows where !row.words.isEmpty {
                try add.bind(row.number)
                try add.bind(row.words)
                try add.bind(row.business.text)
                try add.run()
            }
            try connection.execute("DELETE FROM note_state")
            try write(batch.next, on: connection)
            if removed > 0 {
                try connection.execute("INSERT OR IGNORE INTO note_removal VALUES (1)")
            }
            try connection.statement(literal: "COMMIT").run()
        } catch {
            if connection.isInTransaction {
                try connection.statement(literal: "ROLLBACK").run()
            }
            throw error
        }
        return removed > 0
    }

    /// Whether removed words are still in the file, also from before it was opened.
    func hasRemovedNotes() throws(StoreError) -> Bool {
        try requireConnection().prepare("SELECT 1 FROM note_removal").first { _ in true } ?? false
    }

    /// Merges the pieces of the index into one, without the words that were removed.
    ///
    /// The work grows with all notes: 0.1 s at 10,000 of them, 4 s at 500,000. Returns false where a reader holds the
    /// write-ahead log, which has the words until then: the mark stays.
    func mergeNotes() throws(StoreError) -> Bool {
        let connection = try requireConnection()
        try connection.execute("INSERT INTO note_words (note_words) VALUES ('optimize')")
        guard try connection.checkpoint(.empty) != nil else { return false }
        try connection.execute("DELETE FROM note_removal")
        return true
    }

    private func write(_ cursor: NoteCursor, on connection: Connection) throws(StoreError) {
        let statement = try connection.statement(
            literal: "INSERT INTO note_state (filled, position) VALUES (?, ?)")
        if let filled = cursor.filled { try statement.bind(filled) } else { statement.bindNull() }
        try statement.bind(cursor.position.value)
        try statement.run()
    }

    private func requireConnection() throws(StoreError) -> Connection {
        guard let connection else { throw StoreError(.failed, "the index is not open") }
        return connection
    }
}

extension SearchFileReader {
    /// Finds notes, from an edge on, one more than the limit where there are more.
    func findNotes(_ look: NoteLook, life: Int) throws(StoreError) -> [Int64] {
        try Self.findNotes(look, on: connection(life))
    }

    /// Finds notes on a connection.
    static func findNotes(
        _ look: NoteLook, on connection: Connection
    ) throws(StoreError) -> [Int64] {
        guard !look.businesses.isEmpty, !look.numbers.isEmpty else { return [] }
        let marks = Array(repeating: "?", count: look.businesses.count).joined(separator: ", ")
        let statement = try connection.statement(
            """
            SELECT rowid FROM note_words WHERE note_words MATCH ? AND rowid BETWEEN ? AND ? \
            AND business IN (\(marks)) ORDER BY rowid \(look.isBackward ? "ASC" : "DESC") LIMIT ?
            """)
        try statement.bind("words : (\(look.expression))")
        try statement.bind(look.numbers.lowerBound)
        try statement.bind(look.numbers.upperBound - 1)
        for business in look.businesses { try statement.bind(business.text) }
        try statement.bind(Int64(look.limit) + 1)
        return try statement.all { $0.integer() }
    }
}

/// What a search for notes looks for.
struct NoteLook: Sendable {
    let expression: String
    let businesses: Set<BusinessID>
    /// Only notes with these numbers.
    let numbers: Range<Int64>
    /// Whether it looks from the oldest of them to the newest.
    let isBackward: Bool
    let limit: Int
}
