import DeskStore
import Synchronization

/// Reads a running store through, a step at a time, on a thread of its own and of low priority.
final class SQLiteWatch: StoreWatch {
    let name = SQLiteStore.fileName
    private let pool: ConnectionPool
    private let blobs: String
    private let state: Mutex<Inspection>

    /// Prepares to read the store of a directory.
    init(directory: String) throws(StoreError) {
        pool = try ConnectionPool(
            path: SQLiteStore.file(in: directory), for: .watching, threads: 1, limit: 1)
        blobs = directory + "/blobs"
        state = Mutex(Inspection(blobs: directory + "/blobs", isStill: false))
    }

    /// Begins with the newest places of the log, so many of them.
    func begin(newest count: Int) {
        state.withLock { $0 = Inspection(newest: Int64(count)) }
    }

    /// Begins to read everything.
    func begin() {
        state.withLock { $0 = Inspection(blobs: blobs, isStill: false) }
    }

    /// Reads a little further.
    ///
    /// - Throws: `damaged` when not even the bounds of the log can be read, `closed`, `failed`.
    func step() async throws(StoreError) -> WatchStep {
        let before = state.withLock { $0 }
        let after = try await pool.run { connection throws(StoreError) in
            var inspection = before
            try inspection.step(on: connection)
            return inspection
        }
        state.withLock { $0 = after }
        return WatchStep(counts: after.counts, found: after.found, isDone: after.isDone)
    }

    /// Ends the thread.
    func close() async { await pool.close() }
}
