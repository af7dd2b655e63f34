import CSQLite
import DeskBytes
import DeskStore
import Synchronization

/// One connection with its prepared statements; used by one thread at a time.
@safe final class Connection {
    /// The path of a database that lives in memory and ends with its only connection.
    static let memory = ":memory:"

    let handle: OpaquePointer
    private let turn = Mutex<Void>(())
    // Keyed by the SQL's address: every statement is a literal of ours.
    private var statements: [UInt: Statement] = [:]
    private var composed: [String: Statement] = [:]
    private let pages: UnsafeMutablePointer<Int32>

    // Done before the first connection is opened, once for the process.
    private static let isConfigured: Void = {
        let code = frontdesk_configure_memory()
        precondition(code == SQLITE_OK, "SQLite was in use before it was configured: \(code)")
    }()

    /// What a connection is for.
    enum Use {
        /// Writing; the file is made when there is none.
        case writing
        /// Reading beside others.
        case reading
        /// Reading a file that no process changes, so that no files are made beside it.
        case copy
    }

    /// Opens the database file, making it if it may be written.
    convenience init(path: String, mayWrite: Bool) throws(StoreError) {
        try self.init(path: path, for: mayWrite ? .writing : .reading)
    }

    /// Opens the database file.
    init(path: String, for use: Use) throws(StoreError) {
        Self.isConfigured
        var opened: OpaquePointer?
        let mode =
            switch use {
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reading: SQLITE_OPEN_READONLY
            case .copy: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name =
            switch use {
            case .writing, .reading: path
            case .copy: "file:\(PercentCoding.encode(path, keeping: "/"))?immutable=1"
            }
        let code = unsafe sqlite3_open_v2(name, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe SQLiteCode.error(of: opened, code)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = opened
        unsafe pages = .allocate(capacity: 1)
        unsafe pages.initialize(to: 0)
        _ = unsafe sqlite3_extended_result_codes(handle, 1)
        _ = unsafe sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        statements.removeAll()
        composed.removeAll()
        unsafe sqlite3_close_v2(handle)
        unsafe pages.deallocate()
    }

    /// The cached statement for a literal.
    func statement(literal sql: StaticString) throws(StoreError) -> Statement {
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let known = statements[key] { return known }
        let made = try prepare(sql.description, isKept: true)
        statements[key] = made
        return made
    }

    /// How many statements that were put together from pieces are kept: who narrows lists in ever other ways
    /// would have the process keep them all.
    static let mostComposed = 512

    /// How many of them are kept.
    var composedCount: Int { composed.count }

    /// The cached statement for a text of ours that is put together from pieces.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        if let known = composed[sql] { return known }
        // One that is in use lives on with its user.
        if composed.count >= Self.mostComposed { composed.removeAll(keepingCapacity: true) }
        let made = try prepare(sql, isKept: true)
        composed[sql] = made
        return made
    }

    /// A statement for one use.
    func prepare(_ sql: String, isKept: Bool = false) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let flags = UInt32(isKept ? SQLITE_PREPARE_PERSISTENT : 0)
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe SQLiteCode.error(of: handle, code)
        }
        return unsafe Statement(adopting: prepared, of: handle)
    }

    /// Runs SQL of ours that binds nothing; several statements may follow each other.
    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe SQLiteCode.error(of: handle, code) }
    }

    /// Runs one thread's transaction or read while no other thread uses the connection.
    ///
    /// Threads share a connection only where the database is in memory: a second connection could not
    /// open it.
    func alone<Value: Sendable>(_ body: () -> Value) -> Value { turn.withLock { _ in body() } }

    // MARK: The write-ahead log

    /// Keeps `logPages` up to date and leaves checkpoints to the caller.
    ///
    /// Safe: the connection owns both the handle and the number that it writes.
    func followLog() { unsafe frontdesk_follow_log(handle, pages) }

    /// Pages in the write-ahead log after the last commit of this connection.
    var logPages: Int { Int(unsafe pages.pointee) }

    /// How a checkpoint goes about it.
    enum Checkpoint {
        /// Moves what it can without waiting for readers.
        case passive
        /// Waits for readers, so that the next commit restarts the log.
        case restart
        /// Moves everything and empties the log, once there are no readers.
        case empty
    }

    /// Moves pages from the log into the database and flushes them.
    ///
    /// Returns how many pages of the log are moved; nil when another connection is at it.
    func checkpoint(_ kind: Checkpoint) throws(StoreError) -> Int? {
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .empty: SQLITE_CHECKPOINT_TRUNCATE
            }
        var moved: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, &moved)
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteCode.error(of: handle, code)
            guard error.code == .busy else { throw error }
            return nil
        }
        return Int(moved)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How many rows were changed since the connection was opened, by triggers too.
    var changedRows: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// The row number that the last insert was given.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
}
