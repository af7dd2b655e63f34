/// Threads for file calls that block.
package final class BlobThreads: Sendable {
    private let queue = WorkQueue<@Sendable () -> Void>(limit: 4_096)

    /// Starts them.
    package init(count: Int) {
        for _ in 0..<count {
            WorkerThread.start { [queue] in
                while let jobs = queue.take(atMost: 1) {
                    for job in jobs { job() }
                }
            }
        }
    }

    deinit { queue.close() }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let answer: Result<Value, StoreError> = await withCheckedContinuation { waiter in
            let reception = queue.offer {
                do throws(StoreError) {
                    waiter.resume(returning: .success(try body()))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
            switch reception {
            case .taken: break
            case .full: waiter.resume(returning: .failure(StoreError(.overloaded)))
            case .closed: waiter.resume(returning: .failure(StoreError(.closed)))
            }
        }
        return try answer.get()
    }

    /// Runs work without waiting for its end; dropped when the threads are gone.
    func runLater(_ body: @escaping @Sendable () -> Void) { _ = queue.offer(body) }
}
