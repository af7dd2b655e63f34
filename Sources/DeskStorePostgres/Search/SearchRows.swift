import DeskModel
import DeskSQL
import DeskStore

/// How far the index of a database has read the log.
struct SearchCursor: Equatable, Sendable {
    /// The version of the index's rows.
    let version: Int64
    /// Messages up to here have their terms in the index.
    var position: Position
    /// Erasures up to this one are out of it.
    var erasure: Int64
}

/// The rows of the search index: the terms of each message and their places in it.
///
/// Its business is one more term, which no word is, so that the index of terms leaves out what is of others.
/// One process writes them, which its lease says; that the cursor is moved only from where it was read
/// refuses what an earlier holder still sends.
enum SearchRows {
    /// The version of the rows and of how texts are cut; an index of an earlier one is made anew.
    static let version: Int64 = 4
    /// Words from which on a message's places are not all kept: PostgreSQL keeps 256 of a word, and none behind
    /// the 16,383rd.
    static let placedWords = 256
    /// The term of messages whose places are not all kept.
    private static let long = "#long"
    /// Messages, and bytes of their terms, that one statement adds at most.
    private static let addedRows = 128
    private static let addedBytes = 1 << 20

    /// The tables; new rows wait in a list of at most 4 MB before they are sorted into the index of terms.
    static let tables = """
        CREATE TABLE search_state (
            one boolean PRIMARY KEY DEFAULT TRUE CHECK (one), version bigint NOT NULL,
            position bigint NOT NULL, erasure bigint NOT NULL);
        CREATE TABLE search_terms (
            position bigint PRIMARY KEY, business bigint NOT NULL, terms tsvector NOT NULL);
        CREATE INDEX search_terms_by_term ON search_terms USING gin (terms)
            WITH (fastupdate = on, gin_pending_list_limit = 4096);

        """

    // MARK: The cursor

    /// Reads the cursor; nil when nothing was ever indexed.
    static func cursor(on sql: any SQLSession) throws(StoreError) -> SearchCursor? {
        let statement = try sql.statement(
            literal: "SELECT version, position, erasure FROM search_state")
        return try statement.first { row in
            SearchCursor(
                version: row.integer(), position: Position(max(0, row.integer())),
                erasure: row.integer())
        }
    }

    /// Reads the cursor, after it has begun an index where there is none or one of an earlier version.
    static func open(
        on sql: any SQLSession
    ) throws(StoreError) -> (cursor: SearchCursor, isAnew: Bool) {
        let known = try cursor(on: sql)
        if let known, known.version >= version { return (known, false) }
        let statement = try sql.statement(
            literal: """
                INSERT INTO search_state (version, position, erasure) VALUES (?, 0, 0) \
                ON CONFLICT (one) DO UPDATE SET version = excluded.version, position = 0, erasure = 0 \
                WHERE search_state.version < excluded.version
                """)
        try statement.bind(version)
        if try statement.runCounting() == 1 {
            _ = try sql.statement(literal: "TRUNCATE search_terms").runCounting()
        }
        guard let made = try cursor(on: sql) else {
            throw StoreError(.failed, "the index has no cursor")
        }
        return (made, known != nil)
    }

    /// Moves the cursor, first of all in the transaction that writes what it stands for.
    ///
    /// - Throws: `superseded` when another process has moved it since it was read.
    static func move(
        _ cursor: SearchCursor, to next: SearchCursor, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                UPDATE search_state SET position = ?, erasure = ? \
                WHERE version = ? AND position = ? AND erasure = ?
                """)
        try statement.bind(next.position.value)
        try statement.bind(next.erasure)
        try statement.bind(cursor.version)
        try statement.bind(cursor.position.value)
        try statement.bind(cursor.erasure)
        guard try statement.runCounting() == 1 else { throw StoreError(.superseded) }
    }

    // MARK: Terms

    /// Adds the terms of messages; words have no space and no sign in them, and at most 256 bytes.
    ///
    /// What is of a business that is not there is left out.
    static func add(_ rows: [SearchRow], on sql: any SQLSession) throws(StoreError) {
        var numbers: [BusinessID: Int64] = [:]
        for business in Set(rows.map(\.business)) {
            numbers[business] = try Self.numbers(of: [business], on: sql).first
        }
        var added = AddedRows()
        for row in rows where !row.words.isEmpty {
            guard let number = numbers[row.business] else { continue }
            added.append(row, of: number)
            guard added.count >= addedRows || added.byteCount >= addedBytes else { continue }
            try add(added, on: sql)
            added = AddedRows()
        }
        if added.count > 0 { try add(added, on: sql) }
    }

    private static func add(_ rows: AddedRows, on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(
            literal: """
                INSERT INTO search_terms (position, business, terms) \
                SELECT given.position, given.business, given.terms::tsvector \
                FROM unnest((?::text)::bigint[], (?::text)::bigint[], (?::text)::text[]) \
                AS given (position, business, terms)
                """)
        try statement.bind("{\(rows.positions.joined(separator: ","))}")
        try statement.bind("{\(rows.businesses.joined(separator: ","))}")
        try statement.bind("{\"\(rows.terms.joined(separator: "\",\""))\"}")
        try statement.run()
    }

    /// Rows that one statement adds, a list for each column.
    private struct AddedRows {
        private(set) var positions: [String] = []
        private(set) var businesses: [String] = []
        private(set) var terms: [String] = []
        private(set) var byteCount = 0

        var count: Int { positions.count }

        mutating func append(_ row: SearchRow, of business: Int64) {
            let text = SearchRows.terms(of: row.words, in: business)
            positions.append(String(row.position.value))
            businesses.append(String(business))
            terms.append(text)
            byteCount += text.utf8.count
        }
    }

    /// The words of a message and its business as tsvector reads them: each with its place.
    static func terms(of words: String, in business: Int64) -> String {
        var text = ""
        text.reserveCapacity(words.utf8.count * 2)
        var place = 0
        for word in words.utf8.split(separator: 0x20) {
            place += 1
            text += "\(Substring(word)):\(place) "
        }
        text += "#\(business)"
        if place >= placedWords { text += " \(long)" }
        return text
    }

    /// Removes the terms of messages.
    static func remove(_ positions: [Position], on sql: any SQLSession) throws(StoreError) {
        let statement = try sql.statement(literal: "DELETE FROM search_terms WHERE position = ?")
        for position in positions {
            try statement.bind(position.value)
            try statement.run()
        }
    }
}

// MARK: Searching

extension SearchRows {
    /// Businesses that a search names among its terms; of more of them most messages are likely to be theirs.
    private static let namedBusinesses = 16

    /// How a part of the log is looked through: its newest part by positions, the older one by terms.
    ///
    /// All matches of the older part are found before the newest are chosen. Otherwise the planner would read
    /// messages from the newest on until there are enough matches, since it never believes that few words have
    /// a beginning; for the same reason positions cannot be looked up there.
    static func statement(isNewest: Bool, isBackward: Bool = false) -> String {
        let order = isBackward ? "ASC" : "DESC"
        let wanted = "terms @@ (?::text)::tsquery AND business = ANY ((?::text)::bigint[])"
        guard isNewest else {
            return """
                WITH found AS MATERIALIZED (SELECT position FROM search_terms \
                WHERE position + 0 < ? AND position + 0 >= ? AND \(wanted)) \
                SELECT position FROM found ORDER BY position \(order) LIMIT ?
                """
        }
        // Backwards the part begins where its oldest message is, and has no more of them than forwards.
        guard !isBackward else {
            return """
                SELECT position FROM (SELECT position, business, terms FROM search_terms \
                WHERE position < ? AND position >= ? ORDER BY position ASC LIMIT \(SearchWalk.newestMessages)) newest \
                WHERE \(wanted) ORDER BY position ASC LIMIT ?
                """
        }
        // The inner limit keeps the rest out of it, so that rows are read in their order until there are enough.
        return """
            SELECT position FROM (SELECT position, business, terms FROM search_terms \
            WHERE position < ? ORDER BY position DESC LIMIT \(SearchWalk.newestMessages)) newest \
            WHERE position >= ? AND \(wanted) ORDER BY position DESC LIMIT ?
            """
    }

    /// Where the oldest of the newest messages before a position is; the start when there are fewer.
    static func border(
        before end: Position, on sql: any SQLSession
    ) throws(StoreError) -> Position {
        let statement = try sql.statement(
            """
            SELECT position FROM search_terms WHERE position < ? ORDER BY position DESC \
            OFFSET \(SearchWalk.newestMessages - 1) LIMIT 1
            """)
        try statement.bind(end.value)
        return Position(max(0, try statement.first { $0.integer() } ?? 0))
    }

    /// Finds messages of a part of the log, in the order in which it is looked through.
    static func positions(
        of query: SearchQuery, in businesses: [Int64], within part: SearchWalk.Part, limit: Int,
        on sql: any SQLSession
    ) throws(StoreError) -> [Position] {
        let statement = try sql.statement(
            statement(isNewest: part.isNewest, isBackward: part.isBackward))
        try bind(query, businesses, part, limit, to: statement)
        return try statement.all { Position(max(0, $0.integer())) }
    }

    /// Binds what such a statement looks for.
    static func bind(
        _ query: SearchQuery, _ businesses: [Int64], _ part: SearchWalk.Part, _ limit: Int,
        to statement: any SQLStatement
    ) throws(StoreError) {
        try statement.bind(part.positions.upperBound)
        try statement.bind(part.positions.lowerBound)
        try statement.bind(terms(of: query, in: businesses))
        try statement.bind("{\(businesses.map(String.init).joined(separator: ","))}")
        try statement.bind(Int64(limit))
    }

    /// A query in the language of tsquery: every word in quotes, `:*` behind one that may go on, and `<->` between
    /// words that follow each other.
    static func terms(of query: SearchQuery, in businesses: [Int64]) -> String {
        var terms = query.phrases.map { phrase in
            let words = phrase.words.enumerated().map { place, word in
                quoted(word) + (phrase.isOpen && place == phrase.words.count - 1 ? ":*" : "")
            }
            guard words.count > 1 else { return words[0] }
            let all = words.joined(separator: " & ")
            // Of a long message the places say too little: it is found by its words, and read.
            return "(\(words.joined(separator: " <-> ")) | '\(long)' & \(all))"
        }
        if (1...namedBusinesses).contains(businesses.count) {
            terms.append("(\(businesses.map { "'#\($0)'" }.joined(separator: " | ")))")
        }
        return terms.joined(separator: " & ")
    }

    private static func quoted(_ word: String) -> String {
        var quoted = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" || scalar == "\\" { quoted.unicodeScalars.append(scalar) }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "'"
    }

    /// The numbers of businesses; one that is not there has none.
    static func numbers(
        of businesses: Set<BusinessID>, on sql: any SQLSession
    ) throws(StoreError) -> [Int64] {
        let statement = try sql.statement(literal: "SELECT number FROM businesses WHERE id = ?")
        var numbers: [Int64] = []
        for business in businesses {
            try statement.bind(business.value)
            if let number = try statement.first({ $0.integer() }) { numbers.append(number) }
        }
        return numbers
    }
}
