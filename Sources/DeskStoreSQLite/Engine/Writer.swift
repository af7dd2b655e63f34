import DeskModel
import DeskSQL
import DeskStore

/// The thread that writes to SQLite.
final class Writer: Sendable {
    let jobs: LogJobs<WriteSession>

    init(
        session: sending WriteSession, checkpoints: ConnectionPool?, file: WrittenFile?,
        feed: CommitFeed, memory: StoreMemory, hold: LogHold,
        options: SQLiteStore.Options, failed: @escaping @Sendable (StoreError) -> Void
    ) {
        jobs = LogJobs(limit: options.waitingWrites)
        let counts = CommitCounts(options.metrics)
        let box = Handover(session)
        jobs.start(atMost: options.jobsPerCommit) { take in
            let session = box.take()
            var loop = WriterLoop(
                session: session,
                log: checkpoints.map { LogCare(of: session.connection, on: $0, holding: hold) },
                file: file, feed: feed, memory: memory, counts: counts, failed: failed)
            while let jobs = take() { loop.run(jobs) }
            loop.end()
        }
    }

    /// Runs a write; beside its value comes what it changed of registries.
    func run<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                Connection, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> (value: Value, entries: [RegistryEntry]) {
        try await jobs.run { session, entries throws(StoreError) in
            try body(session.connection, &entries)
        }
    }

    /// Has every row of a conversation written that lacks messages; on return it is committed.
    func flushRows() async throws(StoreError) {
        try await jobs.ask { $0.flushRows() }
    }

    /// How many jobs wait.
    var waiting: Int { jobs.waiting }

    /// Accepts no more jobs; the thread ends after those that wait.
    func stop() { jobs.stop() }

    /// Accepts no more jobs; returns when the thread has ended.
    func close() async { await jobs.close() }
}
