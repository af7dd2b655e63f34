import CSQLite
import DeskStore

/// One connection with its prepared statements; used by one thread at a time.
@safe final class Connection {
    private let handle: OpaquePointer
    // Keyed by the SQL's address: every statement is a literal of ours.
    private var statements: [UInt: Statement] = [:]
    private var composed: [String: Statement] = [:]

    /// Opens the database file, making it if it may be written.
    init(path: String, mayWrite: Bool) throws(StoreError) {
        var opened: OpaquePointer?
        let mode =
            (mayWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
            | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, mode, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe SQLiteCode.error(of: opened, code)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe handle = opened
        _ = unsafe sqlite3_extended_result_codes(handle, 1)
        _ = unsafe sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        statements.removeAll()
        composed.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// The cached statement for a literal.
    func statement(literal sql: StaticString) throws(StoreError) -> Statement {
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let known = statements[key] { return known }
        let made = try prepare(sql.description, isKept: true)
        statements[key] = made
        return made
    }

    /// The cached statement for a text of ours that is put together from pieces.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        if let known = composed[sql] { return known }
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

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// The row number that the last insert was given.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }
}
