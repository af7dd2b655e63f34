import DeskSQL
import DeskStore
import Synchronization

/// Reads a database through that nodes use, a step at a time, on a connection of its own.
final class PostgresWatch: StoreWatch {
    let name = PostgresName.database
    private let threads: PostgresThreads
    private let blobs: any BlobStore
    private let state = Mutex(Inspection(of: .postgreSQL, isStill: false))

    /// Prepares to read a database and the attachments that it names; the first step connects.
    init(_ options: PostgresRegistries.Options, _ blobs: any BlobStore) {
        threads = PostgresThreads(options, for: .inspecting, threads: 1)
        self.blobs = blobs
    }

    /// Whether nothing was written since the reading began, as far as it knows.
    var isStill: Bool { state.withLock { $0.isStill } }

    /// Begins with the newest places of the log, so many of them.
    func begin(newest count: Int) {
        state.withLock { $0 = Inspection(of: .postgreSQL, newest: Int64(count)) }
    }

    /// Begins to read everything.
    func begin() {
        state.withLock { $0 = Inspection(of: .postgreSQL, isStill: false) }
    }

    /// Reads a little further; each step is a transaction.
    ///
    /// - Throws: `damaged` when not even the bounds of the log can be read, `unavailable` when the server
    ///   cannot be reached, `closed`, `failed`.
    func step() async throws(StoreError) -> WatchStep {
        let before = state.withLock { $0 }
        var after = try await run { sql throws(StoreError) in
            var inspection = before
            try inspection.step(on: sql)
            return inspection
        }
        try await after.readFiles(of: blobs)
        let step = WatchStep(counts: after.counts, found: after.found, isDone: after.isDone)
        state.withLock { [after] in $0 = after }
        return step
    }

    /// Reads in a transaction of the same connection.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await threads.run { connection throws(StoreError) in try body(connection) }
    }

    /// Closes the connection.
    func close() async { await threads.close() }
}
