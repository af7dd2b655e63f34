import Glibc
import Synchronization

/// One thread with something that only it touches.
package final class SearchQueue<Resource>: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (Resource) -> Void
    }

    private struct Ending {
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let queue: WorkQueue<Job>
    private let ending = Mutex(Ending())

    /// Starts the thread; a patient one leaves the processor to all other work.
    package init(limit: Int, isPatient: Bool, with resource: sending Resource) {
        queue = WorkQueue(limit: limit)
        let box = Handover(resource)
        WorkerThread.start { [self, queue] in
            // Safe: of no consequence but speed. On Linux this is the thread's own priority.
            if isPatient { _ = setpriority(.init(PRIO_PROCESS.rawValue), 0, 19) }
            Self.work(on: queue, with: box)
            hasEnded()
        }
    }

    /// Works until the queue is closed; on return the resource is given up.
    private static func work(on queue: WorkQueue<Job>, with box: Handover<Resource>) {
        let resource = box.take()
        while let jobs = queue.take(atMost: 1) {
            for job in jobs { job.run(resource) }
        }
    }

    /// Runs a job with the resource.
    ///
    /// - Throws: `overloaded` when too many wait, `closed`, or what the body throws.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (Resource) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withCheckedContinuation { waiter in
            let job = Job { resource in
                do throws(StoreError) {
                    waiter.resume(returning: .success(try body(resource)))
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

    /// How many jobs wait.
    package var waiting: Int { queue.count }

    /// Accepts no more jobs; the thread ends after those that wait.
    package func stop() { queue.close() }

    /// Returns when the accepted work is done and the thread has ended.
    package func close() async {
        stop()
        await withCheckedContinuation { waiter in
            let isOver = ending.withLock { ending in
                if !ending.isOver { ending.waiters.append(waiter) }
                return ending.isOver
            }
            if isOver { waiter.resume() }
        }
    }

    private func hasEnded() {
        let waiters = ending.withLock { ending in
            ending.isOver = true
            defer { ending.waiters = [] }
            return ending.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
