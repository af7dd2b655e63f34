import CPostgres
import DeskStore
import Glibc
import Synchronization

/// A few threads with a connection each, since libpq blocks; never an event loop.
final class PostgresThreads: Sendable {
    /// What the threads do with the database.
    enum Purpose: Sendable {
        /// Transactions that change rows, as if one ran after the other.
        case writing
        /// Transactions that see one state of everything.
        case reading
        /// Transactions that read the log as it grows, always by the same statements.
        case following
        /// Transactions that search: each statement has a plan that is made for what it looks for.
        case searching
        /// Transactions that read some of everything, behind all other work.
        case inspecting
        /// Transactions that make or judge tables.
        case preparing
        /// Transactions on tables that neither the log nor the registries read, so that none has a share of
        /// the log's turn; each statement sees what was committed before it.
        case beside

        fileprivate var begin: String {
            switch self {
            // The lock is acquired before the transaction sees anything: it waits for who writes the log.
            case .writing:
                "BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE log_turn IN ROW SHARE MODE"
            case .preparing: "BEGIN"
            case .reading, .following, .searching, .inspecting:
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beside: "BEGIN ISOLATION LEVEL READ COMMITTED"
            }
        }

        /// What a connection asks of the server for its session.
        fileprivate var settings: String? {
            switch self {
            case .writing, .beside: PostgresSettings.ofTurn
            case .searching: PostgresSettings.ofSearch
            case .inspecting: PostgresSettings.ofInspection
            case .reading: PostgresSettings.ofReading
            case .following: PostgresSettings.ofLog
            case .preparing: nil
            }
        }
    }

    private struct Job: Sendable {
        let run: @Sendable (PostgresThread) -> Void
    }

    private struct Ending {
        var threads: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let purpose: Purpose
    private let queue: WorkQueue<Job>
    private let ending: Mutex<Ending>

    init(_ options: PostgresRegistries.Options, for purpose: Purpose, threads: Int) {
        precondition(threads > 0, "\(threads) threads")
        self.purpose = purpose
        queue = WorkQueue(limit: options.waiting)
        ending = Mutex(Ending(threads: threads))
        for _ in 0..<threads {
            WorkerThread.start { [self, queue] in
                // Linux reads 0 as the calling thread; without it the reading is only less polite.
                if purpose == .inspecting {
                    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                }
                let thread = PostgresThread(options, for: purpose)
                while let jobs = queue.take(atMost: 1) {
                    for job in jobs { job.run(thread) }
                }
                thread.disconnect()
                hasEnded()
            }
        }
    }

    /// How many jobs wait for a thread.
    var waiting: Int { queue.count }

    /// Runs a transaction on one of the threads.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await perform { thread throws(StoreError) in try thread.transaction(body) }
    }

    /// Runs a statement that reads, in no transaction.
    func runOne<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await perform { thread throws(StoreError) in try thread.one(body) }
    }

    /// Lends one of the threads a new connection that is in no transaction, and is closed then.
    func lend<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await perform { thread throws(StoreError) in try body(try thread.connect()) }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresThread) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withCheckedContinuation { waiter in
            let job = Job { thread in
                do throws(StoreError) {
                    waiter.resume(returning: .success(try work(thread)))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
            switch queue.offer(job) {
            case .taken: break
            case .full: waiter.resume(returning: .failure(StoreError(.overloaded)))
            case .closed: waiter.resume(returning: .failure(StoreError(.closed)))
            }
        }
        return try answer.get()
    }

    /// Runs a transaction without waiting for its end, or for whether it failed.
    ///
    /// Dropped when too many wait, or once it is closed.
    func runLater(_ body: @escaping @Sendable (PostgresConnection) throws(StoreError) -> Void) {
        // Safe: it is work that is found again when it was not done.
        _ = queue.offer(Job { thread in try? thread.transaction(body) })
    }

    /// Finishes the accepted work, then refuses; the connections are closed on return.
    func close() async {
        queue.close()
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
}

/// One thread's connection: made when it is first needed, and again after it was lost.
final class PostgresThread {
    /// How often a transaction is run again that failed for another one's sake.
    private static let maximumRepeats = 8
    /// The longest wait before the first of these repeats, in microseconds; each further one may wait twice as long.
    private static let pause: UInt32 = 500

    private let options: PostgresRegistries.Options
    private let purpose: PostgresThreads.Purpose
    private var connection: PostgresConnection?

    init(_ options: PostgresRegistries.Options, for purpose: PostgresThreads.Purpose) {
        self.options = options
        self.purpose = purpose
    }

    /// Runs a transaction; one that failed for another one's sake is run again.
    func transaction<Value>(
        _ body: (PostgresConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        var left = Self.maximumRepeats
        while true {
            let connection = try beginning()
            do throws(StoreError) {
                let value = try body(connection)
                try commit(on: connection)
                return value
            } catch {
                let mayRepeat = connection.hasConflict && left > 0
                rollBack(connection)
                guard mayRepeat else { throw error }
                // Two that are repeated in step would fail each other again and again.
                usleep(.random(in: 0...(Self.pause << (Self.maximumRepeats - left))))
                left -= 1
            }
        }
    }

    /// Runs one statement that reads; on a connection that was lost while idle it is run once more.
    func one<Value>(
        _ body: (PostgresConnection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        if let known = connection, !known.isFull {
            do throws(StoreError) {
                known.forgetTransaction()
                return try body(known)
            } catch {
                guard !known.isConnected else { throw error }
                connection = nil
            }
        }
        let made = try connect()
        connection = made
        return try body(made)
    }

    func disconnect() { connection = nil }

    /// Written by a transaction that has written nothing, where commits wait for a standby: what it is answered by
    /// may be what no standby has, and only a commit waits (ADR 52).
    private static let confirmation = """
        INSERT INTO commits (writer, number, position) SELECT (random() * 9e18)::bigint, 0, 0 \
        WHERE pg_current_xact_id_if_assigned() IS NULL \
        AND current_setting('synchronous_standby_names') <> '';
        """

    /// Ends a transaction whose writes are all done; a connection that breaks now leaves it open
    /// whether they are stored.
    private func commit(on connection: PostgresConnection) throws(StoreError) {
        if purpose == .writing { connection.beforeCommit(Self.confirmation) }
        do throws(StoreError) {
            try connection.commit(isPatient: purpose == .preparing)
        } catch {
            guard error.code == .unavailable, !PostgresState.hasRefused(error) else { throw error }
            throw StoreError(.unknown, error.detail)
        }
    }

    /// A connection in a new transaction; one that was lost while idle is replaced once.
    private func beginning() throws(StoreError) -> PostgresConnection {
        if let known = connection, !known.isFull {
            do throws(StoreError) {
                try known.begin(purpose.begin)
                return known
            } catch {
                connection = nil
                guard error.code == .unavailable, !known.isTurnKept else { throw error }
            }
        }
        let made = try connect()
        connection = made
        try made.begin(purpose.begin)
        return made
    }

    /// A new connection with what its purpose asks of the server.
    func connect() throws(StoreError) -> PostgresConnection {
        let made = try PostgresConnection(address: options.address, library: options.library)
        if let settings = purpose.settings { try made.execute(settings) }
        return made
    }

    /// Ends a failed transaction; a connection on which that fails is not used again.
    private func rollBack(_ connection: PostgresConnection) {
        do throws(StoreError) {
            try connection.rollBack()
        } catch {
            self.connection = nil
        }
    }
}
