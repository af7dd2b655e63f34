import DeskModel
import DeskStore
import Synchronization

/// The thread that writes: it handles all waiting jobs, commits once, then answers every caller.
final class Writer: Sendable {
    /// Says how a job ended, once its commit is flushed (nil) or failed.
    typealias Finish = @Sendable (StoreError?) -> Void

    struct Job: Sendable {
        /// Runs on the writer's thread inside the transaction; throws when all of it is lost.
        let run: @Sendable (WriteSession) throws(StoreError) -> Finish
        /// Answers when the job never ran or its transaction was lost.
        let fail: Finish
    }

    private let queue: WorkQueue<Job>
    private let closed = Mutex<[CheckedContinuation<Void, Never>]?>([])

    init(
        session: sending WriteSession, checkpoints: ConnectionPool?, feed: CommitFeed,
        memory: StoreMemory, hold: LogHold,
        options: SQLiteStore.Options, failed: @escaping @Sendable (StoreError) -> Void
    ) {
        queue = WorkQueue(limit: options.waitingWrites)
        let counts = CommitCounts(options.metrics)
        let box = Handover(session)
        WorkerThread.start { [self, queue] in
            Self.work(on: queue, atMost: options.jobsPerCommit) {
                let session = box.take()
                return WriterLoop(
                    session: session,
                    log: checkpoints.map { LogCare(of: session.connection, on: $0, holding: hold) },
                    feed: feed, memory: memory, counts: counts, failed: failed)
            }
            hasEnded()
        }
    }

    /// Works until the queue is closed; on return the connection is closed too, so that who
    /// waited for the end may remove its files.
    private static func work(
        on queue: WorkQueue<Job>, atMost most: Int, _ make: () -> WriterLoop
    ) {
        var loop = make()
        while let jobs = queue.take(atMost: most) { loop.run(jobs) }
        loop.end()
    }

    /// Stores groups; beside the answers come the changes of registries that the groups made.
    ///
    /// With an answer of a failure the groups before it are stored, and their changes are there.
    @_specialize(where Last == NewMessage)
    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> (
        answers: Result<[Result<Last.Answer, Refusal>], StoreError>, entries: [RegistryEntry]
    ) {
        typealias Answers = Result<[Result<Last.Answer, Refusal>], StoreError>
        typealias Outcome = Result<(Answers, [RegistryEntry]), StoreError>
        let answer: Outcome = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session throws(StoreError) in
                        let before = session.entries.count
                        let result = try Self.apply(groups, session)
                        let entries = session.entries(after: before)
                        return { error in
                            waiter.resume(
                                returning: error.map { .failure($0) }
                                    ?? .success((result, entries)))
                        }
                    },
                    fail: { waiter.resume(returning: .failure($0 ?? StoreError(.closed))) }))
        }
        return try answer.get()
    }

    /// Runs a write; beside its value comes what it changed of registries.
    func run<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                Connection, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> (value: Value, entries: [RegistryEntry]) {
        typealias Outcome = Result<(Value, [RegistryEntry]), StoreError>
        let answer: Outcome = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session throws(StoreError) in
                        let before = session.entries.count
                        let value = try session.perform(body)
                        let entries = session.entries(after: before)
                        let result: Outcome = value.map { ($0, entries) }
                        return { error in
                            waiter.resume(returning: error.map { .failure($0) } ?? result)
                        }
                    },
                    fail: { waiter.resume(returning: .failure($0 ?? StoreError(.closed))) }))
        }
        return try answer.get()
    }

    /// Has every row of a conversation written that lacks messages; on return it is committed.
    func flushRows() async throws(StoreError) {
        let answer: StoreError? = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session in
                        session.flushRows()
                        return { waiter.resume(returning: $0) }
                    },
                    fail: { waiter.resume(returning: $0 ?? StoreError(.closed)) }))
        }
        if let answer { throw answer }
    }

    /// How many jobs wait.
    var waiting: Int { queue.count }

    /// Accepts no more jobs; the thread ends after those that wait.
    func stop() { queue.close() }

    func close() async {
        stop()
        await withCheckedContinuation { waiter in
            let isOver = closed.withLock { waiters in
                waiters?.append(waiter)
                return waiters == nil
            }
            if isOver { waiter.resume() }
        }
    }

    private func hasEnded() {
        let waiters = closed.withLock { waiters in
            defer { waiters = nil }
            return waiters ?? []
        }
        for waiter in waiters { waiter.resume() }
    }

    private func offer(_ job: Job) {
        switch queue.offer(job) {
        case .taken: break
        case .full: job.fail(StoreError(.overloaded))
        case .closed: job.fail(StoreError(.closed))
        }
    }

    private static func apply<Last: WriteStep>(
        _ groups: [WriteGroup<Last>], _ session: WriteSession
    ) throws(StoreError) -> Result<[Result<Last.Answer, Refusal>], StoreError> {
        var answers: [Result<Last.Answer, Refusal>] = []
        answers.reserveCapacity(groups.count)
        for group in groups {
            do {
                answers.append(try session.apply(group))
            } catch {
                switch error {
                case .transaction(let error): throw error
                // The groups before it stay; a repeat with the same ids finds them.
                case .group(let error): return .failure(error)
                }
            }
        }
        return .success(answers)
    }
}

/// Hands a value that one thread made to another that alone uses it from then on.
final class Handover<Value>: @unchecked Sendable {
    // Sendable: the value is put in before the thread starts and removed once, by that thread.
    private var value: Value?

    init(_ value: Value) { self.value = value }

    func take() -> Value {
        guard let handed = value else { preconditionFailure("a handover was read twice") }
        value = nil
        return handed
    }
}
