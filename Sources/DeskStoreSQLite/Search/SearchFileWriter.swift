import DeskModel
import DeskStore
import Glibc

/// The index's file as its one writer knows it; touched on one thread at a time.
final class SearchFileWriter {
    /// The version of tables and of how texts are cut; a file of another one is rebuilt.
    private static let version: Int64 = 4

    /// Where the file lies; nil when the index is in memory.
    private let path: String?
    private let epoch: Epoch
    private(set) var connection: Connection?
    private var businesses: [BusinessID: Int64] = [:]
    private var shards: Set<SearchShard> = []
    private(set) var indexed = Position.start

    /// Opens the file; anything but a sound index of this life of the store is rebuilt.
    init(path: String?, epoch: Epoch, newest: Position) throws(StoreError) {
        self.path = path
        self.epoch = epoch
        do {
            if try !open(upTo: newest) { try makeAnew() }
        } catch {
            guard error.code == .damaged || error.code == .refused else { throw error }
            try makeAnew()
        }
    }

    /// Indexes messages and remembers how far the log was read, both or neither.
    ///
    /// Returns the tables that get no more rows.
    func add(_ rows: [SearchRow], upTo end: Position) throws(StoreError) -> [SearchShard] {
        guard let connection else { throw StoreError(.failed, "the index is not open") }
        try connection.statement(literal: "BEGIN IMMEDIATE").run()
        do {
            let filled = try insert(rows, on: connection)
            let cursor = try connection.statement(literal: "UPDATE state SET cursor = ?")
            try cursor.bind(end.value)
            try cursor.run()
            try connection.statement(literal: "COMMIT").run()
            indexed = end
            return filled.filter { $0 < SearchShard(of: end) }
        } catch {
            businesses.removeAll()
            shards.removeAll()
            if connection.isInTransaction {
                try connection.statement(literal: "ROLLBACK").run()
            }
            throw error
        }
    }

    // MARK: Erasure

    /// The erasures up to here are out of the index.
    func erasedUpTo() throws(StoreError) -> Int64 {
        guard let connection else { throw StoreError(.failed, "the index is not open") }
        try connection.execute("CREATE TABLE IF NOT EXISTS erased (number INTEGER NOT NULL)")
        return try connection.prepare("SELECT coalesce(max(number), 0) FROM erased")
            .first { $0.integer() } ?? 0
    }

    /// Begins to rebuild a table, in a transaction that `endAnew` ends.
    func beginAnew(_ shard: SearchShard) throws(StoreError) {
        try connection?.execute(
            "BEGIN IMMEDIATE; DROP TABLE IF EXISTS \(shard.table); \(shard.schema)")
    }

    /// Adds messages to the table that is rebuilt.
    func addAnew(_ rows: [SearchRow]) throws(StoreError) {
        guard let connection else { throw StoreError(.failed, "the index is not open") }
        _ = try insert(rows, on: connection)
    }

    /// Ends the transaction: with it the table has the messages it was given, or what it had before.
    func endAnew(isWhole: Bool) throws(StoreError) {
        guard let connection, connection.isInTransaction else { return }
        try connection.execute(isWhole ? "COMMIT" : "ROLLBACK")
        businesses.removeAll()
        shards.removeAll()
    }

    /// Remembers which erasures are out of the index, and empties the write-ahead log of their words.
    func noteErased(upTo number: Int64) throws(StoreError) {
        guard let connection else { throw StoreError(.failed, "the index is not open") }
        try connection.execute(
            "BEGIN IMMEDIATE; DELETE FROM erased; INSERT INTO erased VALUES (\(number)); COMMIT")
        _ = try connection.checkpoint(.empty)
    }

    /// Merges a table into one piece, which is the fastest to search.
    func merge(_ shard: SearchShard) throws(StoreError) {
        try connection?.execute("INSERT INTO \(shard.table) (\(shard.table)) VALUES ('optimize')")
    }

    /// Begins with an empty file.
    func makeAnew() throws(StoreError) {
        connection = nil
        businesses.removeAll()
        shards.removeAll()
        indexed = .start
        if let path { try Self.remove(path) }
        let made = try connect()
        try made.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE state (epoch INTEGER NOT NULL, cursor INTEGER NOT NULL);
            CREATE TABLE businesses (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
            \(Self.noteTables)
            """)
        let statement = try made.prepare("INSERT INTO state VALUES (?, 0)")
        try statement.bind(Int64(bitPattern: epoch.value))
        try statement.run()
        try made.execute("PRAGMA user_version = \(Self.version); COMMIT;")
        connection = made
    }

    private static func remove(_ path: String) throws(StoreError) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            guard unsafe unlink(path + ending) == 0 || errno == ENOENT else {
                throw StoreError(.failed, "unlink: \(SystemWords.text(errno))")
            }
        }
    }

    private func open(upTo newest: Position) throws(StoreError) -> Bool {
        let opened = try connect()
        let version = try opened.prepare("PRAGMA user_version").first { $0.integer() }
        guard version == Self.version else { return false }
        let state = try opened.prepare("SELECT epoch, cursor FROM state")
            .first { ($0.integer(), $0.integer()) }
        guard let state, UInt64(bitPattern: state.0) == epoch.value,
            (0...newest.value).contains(state.1)
        else { return false }
        indexed = Position(state.1)
        try opened.execute(Self.noteTables)
        connection = opened
        return true
    }

    private func connect() throws(StoreError) -> Connection {
        guard let path else { return try Connection(path: Connection.memory, mayWrite: true) }
        let connection = try Connection(path: path, mayWrite: true)
        // A power cut may lose the newest commits: their messages are read again, as the cursor
        // goes back with them.
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192;
            PRAGMA wal_autocheckpoint = 2048; PRAGMA journal_size_limit = 16777216;
            PRAGMA secure_delete = ON;
            """)
        return connection
    }

    private func insert(
        _ rows: [SearchRow], on connection: Connection
    ) throws(StoreError) -> Set<SearchShard> {
        var numbered: [(number: Int64, row: SearchRow)] = []
        for row in rows where !row.words.isEmpty {
            let business = try number(of: row.business, on: connection)
            numbered.append(
                (SearchRowNumber.number(of: row.position.value, business: business), row))
        }
        // Rising numbers: FTS5 writes a piece of its own for every step back.
        numbered.sort { $0.number < $1.number }
        var touched: Set<SearchShard> = []
        for (number, row) in numbered {
            let shard = SearchShard(of: row.position)
            if touched.insert(shard).inserted { try require(shard, on: connection) }
            let statement = try connection.statement(
                "INSERT INTO \(shard.table) (rowid, words) VALUES (?, ?)")
            try statement.bind(number)
            try statement.bind(row.words)
            try statement.run()
        }
        return touched
    }

    /// Makes a table that is not there yet.
    private func require(_ shard: SearchShard, on connection: Connection) throws(StoreError) {
        guard !shards.contains(shard) else { return }
        let find = try connection.statement(literal: "SELECT 1 FROM sqlite_schema WHERE name = ?")
        try find.bind(shard.table)
        if try find.first({ _ in true }) == nil { try connection.execute(shard.schema) }
        shards.insert(shard)
    }

    private func number(
        of business: BusinessID, on connection: Connection
    ) throws(StoreError) -> Int64 {
        if let known = businesses[business] { return known }
        let add = try connection.statement(
            literal: "INSERT OR IGNORE INTO businesses (id) VALUES (?)")
        try add.bind(business.value)
        try add.run()
        guard let number = try SearchBusinesses.number(of: business, on: connection),
            number < SearchRowNumber.businesses
        else { throw StoreError(.refused, "too many businesses for the index") }
        businesses[business] = number
        return number
    }
}

/// The businesses of the index.
enum SearchBusinesses {
    static func number(
        of business: BusinessID, on connection: Connection
    ) throws(StoreError) -> Int64? {
        let find = try connection.statement(literal: "SELECT number FROM businesses WHERE id = ?")
        try find.bind(business.value)
        return try find.first { $0.integer() }
    }
}
