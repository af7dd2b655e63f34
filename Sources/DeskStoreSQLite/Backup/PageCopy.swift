import CSQLite
import DeskStore

/// Copies a database's pages as one moment has them, some at a time; writers never wait for it.
@safe final class PageCopy {
    private let source: Connection
    private let target: Connection
    private var handle: OpaquePointer?

    /// Holds on to the moment; the source is used for nothing else meanwhile.
    init(from source: Connection, to target: Connection) throws(StoreError) {
        self.source = source
        self.target = target
        // The read transaction keeps the moment over all steps; without it each change of another
        // connection would begin the copy again.
        try source.execute("BEGIN")
        _ = try source.prepare("SELECT count(*) FROM epochs").first { $0.integer() }
        unsafe handle = sqlite3_backup_init(target.handle, "main", source.handle, "main")
        guard unsafe handle != nil else {
            throw unsafe SQLiteCode.error(of: target.handle, sqlite3_errcode(target.handle))
        }
    }

    deinit {
        // Safe: an unfinished copy is thrown away with its file, so its last code says nothing.
        _ = unsafe sqlite3_backup_finish(handle)
        try? source.execute("ROLLBACK")  // Safe: it only reads.
    }

    /// Copies some pages; false when all are there.
    func step(pages: Int32) throws(StoreError) -> Bool {
        let code = unsafe sqlite3_backup_step(handle, pages)
        guard code != SQLITE_OK else { return true }
        guard code == SQLITE_DONE else {
            throw unsafe SQLiteCode.error(of: target.handle, code)
        }
        return false
    }
}
