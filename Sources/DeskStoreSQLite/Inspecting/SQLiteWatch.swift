import DeskSQL
import DeskStore
import Synchronization

/// Reads a running store through, a step at a time, on a thread of its own and of low priority.
final class SQLiteWatch: StoreWatch {
    let name = SQLiteStore.fileName
    private let pool: ConnectionPool
    private let blobs: any BlobStore
    private let state = Mutex(Inspection(of: .sqlite, isStill: false))

    /// Prepares to read the store of a directory, and the attachments that it names.
    init(directory: String, _ blobs: any BlobStore) throws(StoreError) {
        pool = try ConnectionPool(
            path: SQLiteStore.file(in: directory), for: .watching, threads: 1, limit: 1)
        self.blobs = blobs
    }

    /// Begins with the newest places of the log, so many of them.
    func begin(newest count: Int) {
        state.withLock { $0 = Inspection(of: .sqlite, newest: Int64(count)) }
    }

    /// Begins to read everything.
    func begin() {
        state.withLock { $0 = Inspection(of: .sqlite, isStill: false) }
    }

    /// Reads a little further.
    ///
    /// - Throws: `damaged` when not even the bounds of the log can be read, `closed`, `failed`.
    func step() async throws(StoreError) -> WatchStep {
        let before = state.withLock { $0 }
        var after = try await pool.run { connection throws(StoreError) in
            var inspection = before
            try inspection.step(onFile: connection)
            return inspection
        }
        try await after.readFiles(of: blobs)
        let step = WatchStep(counts: after.counts, found: after.found, isDone: after.isDone)
        state.withLock { [after] in $0 = after }
        return step
    }

    /// Ends the thread.
    func close() async { await pool.close() }
}
