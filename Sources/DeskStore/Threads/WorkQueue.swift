import Glibc

/// A bounded queue between many tasks and threads of its own.
///
/// Limit: `limit` jobs wait; one more is refused. Thread: any.
@safe package final class WorkQueue<Job: Sendable>: @unchecked Sendable {
    // Sendable: everything below is only touched between lock() and unlock().
    private var jobs: [Job] = []
    private var isClosed = false
    private let limit: Int
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(limit: Int) {
        self.limit = limit
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        Self.judge(unsafe pthread_mutex_init(mutex, nil))
        Self.judge(unsafe pthread_cond_init(condition, nil))
    }

    deinit {
        Self.judge(unsafe pthread_cond_destroy(condition))
        Self.judge(unsafe pthread_mutex_destroy(mutex))
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// What became of a job that was offered.
    package enum Reception {
        case taken
        case full
        case closed
    }

    /// Offers a job to the threads.
    package func offer(_ job: Job) -> Reception {
        lock()
        defer { unlock() }
        guard !isClosed else { return .closed }
        guard jobs.count < limit else { return .full }
        jobs.append(job)
        Self.judge(unsafe pthread_cond_signal(condition))
        return .taken
    }

    /// Waits for work and removes at most `most` jobs, oldest first; nil once closed and empty.
    package func take(atMost most: Int) -> [Job]? {
        lock()
        defer { unlock() }
        while jobs.isEmpty {
            guard !isClosed else { return nil }
            Self.judge(unsafe pthread_cond_wait(condition, mutex))
        }
        guard jobs.count > most else {
            defer { jobs.removeAll(keepingCapacity: true) }
            return jobs
        }
        defer { jobs.removeFirst(most) }
        return Array(jobs.prefix(most))
    }

    /// Removes the oldest job without waiting; nil when there is none.
    package func takeIfAny() -> Job? {
        lock()
        defer { unlock() }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }

    /// How many jobs wait.
    package var count: Int {
        lock()
        defer { unlock() }
        return jobs.count
    }

    /// Accepts no more jobs; those accepted are still done.
    package func close() {
        lock()
        defer { unlock() }
        isClosed = true
        Self.judge(unsafe pthread_cond_broadcast(condition))
    }

    private func lock() { Self.judge(unsafe pthread_mutex_lock(mutex)) }

    private func unlock() { Self.judge(unsafe pthread_mutex_unlock(mutex)) }

    private static func judge(_ code: Int32) {
        precondition(code == 0, "a pthread call answered \(code)")
    }
}
