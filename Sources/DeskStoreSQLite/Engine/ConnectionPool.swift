import DeskStore
import Glibc
import Synchronization

/// A few threads beside the writer's, each with a connection of its own.
final class ConnectionPool: Sendable {
    /// What the connections are for.
    enum Purpose {
        /// Reading what is committed.
        case reading
        /// Moving the write-ahead log into the database.
        case checkpoints
        /// Reading everything through, behind all other work.
        case watching
    }

    private struct Job: Sendable {
        let run: @Sendable (Connection) -> Void
    }

    private struct Ending {
        var threads: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let queue: WorkQueue<Job>
    private let ending: Mutex<Ending>

    init(
        path: String, for purpose: Purpose, threads: Int, limit: Int
    ) throws(StoreError) {
        precondition(threads > 0, "\(threads) threads")
        queue = WorkQueue(limit: limit)
        ending = Mutex(Ending(threads: threads))
        for _ in 0..<threads {
            start(with: Handover(try Self.connect(to: path, for: purpose)), for: purpose)
        }
    }

    /// One thread that reads through the writer's connection, between its transactions.
    init(sharing connection: Connection, limit: Int) {
        queue = WorkQueue(limit: limit)
        ending = Mutex(Ending(threads: 1))
        start(with: Handover(connection), for: .reading)
    }

    private func start(with box: Handover<Connection>, for purpose: Purpose) {
        WorkerThread.start { [self, queue] in
            // Linux reads 0 as the calling thread; without it the reading is only less polite.
            if purpose == .watching {
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            }
            Self.work(on: queue, with: box)
            hasEnded()
        }
    }

    /// Works until the queue is closed; on return the connection is closed too.
    private static func work(on queue: WorkQueue<Job>, with box: Handover<Connection>) {
        let connection = box.take()
        while let jobs = queue.take(atMost: 1) {
            for job in jobs { connection.alone { job.run(connection) } }
        }
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withCheckedContinuation { waiter in
            let job = Job { connection in
                waiter.resume(returning: Self.result(of: body, on: connection))
            }
            switch queue.offer(job) {
            case .taken: break
            case .full: waiter.resume(returning: .failure(StoreError(.overloaded)))
            case .closed: waiter.resume(returning: .failure(StoreError(.closed)))
            }
        }
        return try answer.get()
    }

    /// Leaves work to the threads; false when too much waits already or the pool is closed.
    func offer(_ body: @escaping @Sendable (Connection) -> Void) -> Bool {
        switch queue.offer(Job(run: body)) {
        case .taken: true
        case .full, .closed: false
        }
    }

    /// How many jobs wait.
    var waiting: Int { queue.count }

    /// Accepts no more jobs; the threads end after those that wait.
    func stop() { queue.close() }

    func close() async {
        stop()
        await withCheckedContinuation { waiter in
            let isOver = ending.withLock { ending in
                guard ending.threads > 0 else { return true }
                ending.waiters.append(waiter)
                return false
            }
            if isOver { waiter.resume() }
        }
    }

    private func hasEnded() {
        let waiters = ending.withLock { ending in
            ending.threads -= 1
            guard ending.threads == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { ending.waiters = [] }
            return ending.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private static func connect(
        to path: String, for purpose: Purpose
    ) throws(StoreError) -> Connection {
        switch purpose {
        case .reading:
            let connection = try Connection(path: path, mayWrite: false)
            try connection.execute("PRAGMA cache_size = -4096; PRAGMA query_only = 1;")
            return connection
        case .watching:
            let connection = try Connection(path: path, mayWrite: false)
            try connection.execute("PRAGMA cache_size = -1024; PRAGMA query_only = 1;")
            return connection
        case .checkpoints:
            let connection = try Connection(path: path, mayWrite: true)
            try connection.execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;")
            return connection
        }
    }

    private static func result<Value>(
        of body: (Connection) throws(StoreError) -> Value, on connection: Connection
    ) -> Result<Value, StoreError> {
        do {
            return .success(try body(connection))
        } catch {
            return .failure(error)
        }
    }
}
