package import DeskModel
package import DeskStore
import Synchronization

/// What waits for the thread that writes the log: it handles many jobs in one transaction, commits once, then
/// answers every caller.
package final class LogJobs<Session: LogSession>: Sendable {
    /// Says how a job ended, once its commit is flushed (nil) or failed.
    package typealias Finish = @Sendable (StoreError?) -> Void

    /// One caller's work.
    package struct Job: Sendable {
        /// Runs on the writer's thread inside the transaction; throws when all of it is lost.
        ///
        /// An engine may run it again in another transaction, and then only what that one answers counts.
        package let run: @Sendable (Session) throws(StoreError) -> Finish
        /// Answers when the job never ran or its transaction was lost.
        package let fail: Finish
        /// Conversations that it will need, as far as that is known.
        package var conversations: [ConversationID] = []
    }

    private let queue: WorkQueue<Job>
    private let closed = Mutex<[CheckedContinuation<Void, Never>]?>([])

    /// Begins empty; one job more than `limit` is refused as `overloaded`.
    package init(limit: Int) { queue = WorkQueue(limit: limit) }

    // MARK: The thread

    /// Works until the queue is closed; on return of `end` the connection is closed too, so that who
    /// waited for the end may remove what it used.
    package func start(
        atMost most: Int, _ body: @escaping @Sendable (() -> [Job]?) -> Void
    ) {
        WorkerThread.start { [self] in
            body { queue.take(atMost: most) }
            hasEnded()
        }
    }

    // MARK: What callers ask

    /// Stores groups; beside the answers come the changes of registries that the groups made.
    ///
    /// With an answer of a failure the groups before it are stored, and their changes are there.
    package func append<Last: WriteStep>(
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
                    fail: { waiter.resume(returning: .failure($0 ?? StoreError(.closed))) },
                    conversations: groups.compactMap { $0.last.neededConversation }))
        }
        return try answer.get()
    }

    /// Runs a write by itself whole or not at all; beside its value comes what it changed of registries.
    package func run<Value: Sendable>(
        _ body:
            @escaping @Sendable (
                Session, inout [RegistryEntry]
            ) throws(StoreError) -> Value
    ) async throws(StoreError) -> (value: Value, entries: [RegistryEntry]) {
        typealias Outcome = Result<(Value, [RegistryEntry]), StoreError>
        let answer: Outcome = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session throws(StoreError) in
                        let before = session.entries.count
                        let value = try session.perform { _, entries throws(StoreError) in
                            try body(session, &entries)
                        }
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

    /// Has the next transaction do something; on return it is committed.
    package func ask(_ body: @escaping @Sendable (Session) -> Void) async throws(StoreError) {
        let answer: StoreError? = await withCheckedContinuation { waiter in
            offer(
                Job(
                    run: { session in
                        body(session)
                        return { waiter.resume(returning: $0) }
                    },
                    fail: { waiter.resume(returning: $0 ?? StoreError(.closed)) }))
        }
        if let answer { throw answer }
    }

    /// How many jobs wait.
    package var waiting: Int { queue.count }

    // MARK: The end

    /// Accepts no more jobs; the thread ends after those that wait.
    package func stop() { queue.close() }

    /// Accepts no more jobs; returns when the thread has ended.
    package func close() async {
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
        _ groups: [WriteGroup<Last>], _ session: Session
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
