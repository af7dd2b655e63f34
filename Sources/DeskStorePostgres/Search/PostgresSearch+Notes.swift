public import DeskModel
import DeskSQL
public import DeskStore
import Synchronization

/// The rows of notes in the search index: the terms of each note by its number.
enum SearchNoteRows {
    /// The version of the rows; those of an earlier one are made anew.
    static let version: Int64 = 2

    /// The tables.
    static let tables = """
        CREATE TABLE search_note_state (
            one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), version bigint NOT NULL,
            filled bigint, position bigint NOT NULL);
        CREATE TABLE search_notes (
            number bigint PRIMARY KEY, business bigint NOT NULL, terms tsvector NOT NULL);
        CREATE INDEX search_notes_by_term ON search_notes USING gin (terms)
            WITH (fastupdate = on, gin_pending_list_limit = 4096);

        """

    /// Reads how far the notes were read, after it has begun where they never were, with what changes from a
    /// position on; nil where a newer program's rows are there.
    static func open(
        at newest: Position, on sql: any SQLSession
    ) throws(StoreError) -> NoteCursor? {
        let begin = try sql.statement(
            literal: """
                INSERT INTO search_note_state (version, filled, position) VALUES (?1, 0, ?2) \
                ON CONFLICT (one) DO UPDATE SET version = excluded.version, filled = 0, \
                position = excluded.position WHERE search_note_state.version < excluded.version
                """)
        try begin.bind(version)
        try begin.bind(newest.value)
        if try begin.runCounting() == 1 {
            _ = try sql.statement(literal: "TRUNCATE search_notes").runCounting()
        }
        let statement = try sql.statement(
            literal: "SELECT filled, position FROM search_note_state WHERE version = ?")
        try statement.bind(version)
        return try statement.first { row in
            NoteCursor(filled: row.integerIfAny(), position: Position(max(0, row.integer())))
        }
    }

    /// Moves the cursor and replaces the terms of notes.
    ///
    /// - Throws: `superseded` when another process has moved it since it was read.
    static func replace(
        _ batch: NoteBatch, from cursor: NoteCursor, on sql: any SQLSession
    ) throws(StoreError) {
        let move = try sql.statement(
            literal: """
                UPDATE search_note_state SET filled = ?, position = ? \
                WHERE version = ? AND coalesce(filled, -1) = ? AND position = ?
                """)
        try move.bind(batch.next.filled)
        try move.bind(batch.next.position.value)
        try move.bind(version)
        try move.bind(cursor.filled ?? -1)
        try move.bind(cursor.position.value)
        guard try move.runCounting() == 1 else { throw StoreError(.superseded) }
        let remove = try sql.statement(literal: "DELETE FROM search_notes WHERE number = ?")
        for number in batch.numbers {
            try remove.bind(number)
            try remove.run()
        }
        let add = try sql.statement(
            literal: """
                INSERT INTO search_notes (number, business, terms) VALUES (?, ?, (?::text)::tsvector)
                """)
        var numbers: [BusinessID: Int64] = [:]
        for row in batch.rows where !row.words.isEmpty {
            if numbers[row.business] == nil {
                numbers[row.business] = try SearchRows.numbers(of: [row.business], on: sql).first
            }
            guard let business = numbers[row.business] else { continue }
            try add.bind(row.number)
            try add.bind(business)
            try add.bind(SearchRows.terms(of: row.words, in: business))
            try add.run()
        }
    }

    /// Finds notes with some numbers, one more than the limit where there are more.
    static func find(
        _ query: SearchQuery, in businesses: [Int64], _ range: Range<Int64>, isBackward: Bool,
        limit: Int, on sql: any SQLSession
    ) throws(StoreError) -> [Int64] {
        let statement = try sql.statement(
            """
            SELECT number FROM search_notes WHERE number >= ? AND number < ? \
            AND terms @@ (?::text)::tsquery AND business = ANY ((?::text)::bigint[]) \
            ORDER BY number \(isBackward ? "ASC" : "DESC") LIMIT ?
            """)
        try statement.bind(range.lowerBound)
        try statement.bind(range.upperBound)
        try statement.bind(SearchRows.terms(of: query, in: businesses))
        try statement.bind("{\(businesses.map(String.init).joined(separator: ","))}")
        try statement.bind(Int64(limit) + 1)
        return try statement.all { $0.integer() }
    }
}

extension PostgresSearch {
    /// Finds notes of some businesses, the newest first.
    public func searchNotes(
        _ query: SearchQuery, in businesses: Set<BusinessID>, at edge: PageEdge<Position>,
        limit: Int
    ) async throws(StoreError) -> NotePage {
        let limit = min(max(limit, 1), 300)
        let range = edge.positions(upTo: Position(Int64.max - 1))
        let found = try await reading { connection throws(StoreError) -> [Int64] in
            let numbers = try SearchRows.numbers(of: businesses, on: connection)
            guard !numbers.isEmpty, !range.isEmpty else { return [] }
            return try SearchNoteRows.find(
                query, in: numbers, range, isBackward: edge.isBackward, limit: limit,
                on: connection)
        }
        return try await source.page(
            of: found, limit: limit, for: query, in: businesses, at: edge)
    }

    /// Indexes the next notes; whether there may be more to read at once.
    func readNotes(on thread: SearchQueue<PostgresThread>) async throws(StoreError) -> Bool {
        let known = notes.withLock { $0.take() }
        let newest = source.store.newest
        let cursor: NoteCursor?
        if let known {
            cursor = known
        } else {
            cursor = try await thread.run { thread throws(StoreError) in
                try thread.transaction { connection throws(StoreError) in
                    try SearchNoteRows.open(at: newest, on: connection)
                }
            }
        }
        guard let cursor else { return false }
        guard let batch = try await source.notes(after: cursor) else {
            notes.withLock { $0 = cursor }
            return false
        }
        try await thread.run { thread throws(StoreError) in
            try thread.transaction { connection throws(StoreError) in
                try SearchNoteRows.replace(batch, from: cursor, on: connection)
            }
        }
        notes.withLock { $0 = batch.next }
        return cursor.filled != nil || batch.next.position < source.store.newest
    }
}
