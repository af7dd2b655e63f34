public import DeskStore
import Synchronization

/// Reads a running store through, a step at a time, on a thread of its own and of low priority.
public final class StoreWatch: Sendable {
    /// What one step came to.
    public struct Step: Sendable {
        /// What was read since the reading began.
        public let counts: InspectionCounts
        /// What the step found damaged.
        public let found: [Damage]
        /// Whether everything was read.
        public let isDone: Bool
    }

    private let pool: ConnectionPool
    private let blobs: String
    private let state: Mutex<Inspection>

    /// Prepares to read the store of a directory.
    public init(directory: String) throws(StoreError) {
        pool = try ConnectionPool(
            path: directory + "/frontdesk.sqlite", for: .watching, threads: 1, limit: 1)
        blobs = directory + "/blobs"
        state = Mutex(Inspection(blobs: directory + "/blobs", isStill: false))
    }

    /// Begins with the newest places of the log, so many of them.
    public func begin(newest count: Int) {
        state.withLock { $0 = Inspection(newest: Int64(count)) }
    }

    /// Begins to read everything.
    public func begin() {
        state.withLock { $0 = Inspection(blobs: blobs, isStill: false) }
    }

    /// Reads a little further.
    ///
    /// - Throws: `damaged` when not even the bounds of the log can be read, `closed`, `failed`.
    public func step() async throws(StoreError) -> Step {
        let before = state.withLock { $0 }
        let after = try await pool.run { connection throws(StoreError) in
            var inspection = before
            try inspection.step(on: connection)
            return inspection
        }
        state.withLock { $0 = after }
        return Step(counts: after.counts, found: after.found, isDone: after.isDone)
    }

    /// Ends the thread.
    public func close() async { await pool.close() }
}
