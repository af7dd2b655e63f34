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
            let session = box.take()
            var loop = WriterLoop(
                session: session,
                log: checkpoints.map { LogCare(of: session.connection, on: $0, holding: hold) },
                feed: feed, memory: memory, counts: counts, failed: failed)
            while let jobs = queue.take(atMost: options.jobsPerCommit) { loop.run(jobs) }
            loop.end()
            hasEnded()
        }
    }

    @_specialize(where Last == NewMessage)
    func append<Last: WriteStep>(
        _ groups: [WriteGroup<Last>]
    ) async throws(StoreError) -> [Result<Last.Answer, Refusal>] {
        typealias Answers = [Result<Last.Answer, Refusal>]
        let answer: Result<Answers, StoreError> = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session throws(StoreError) in
                        let result = try Self.apply(groups, session)
                        return { error in
                            waiter.resume(returning: error.map { .failure($0) } ?? result)
                        }
                    },
                    fail: { waiter.resume(returning: .failure($0 ?? StoreError(.closed))) }))
        }
        return try answer.get()
    }

    func run<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                Connection, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session throws(StoreError) in
                        let result = try session.perform(body)
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
