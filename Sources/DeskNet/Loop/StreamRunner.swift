/// Starts a task for each stream whose step is due; the parent of these tasks.
///
/// Thread: touched only on its loop's thread.
@safe final class StreamRunner {
    /// Tasks that are started before the first of them runs; streams that wake together share memory.
    private static let atOnce = 64

    private var due: [HTTPConnection] = []
    private var waiter: UnsafeContinuation<Void, Never>?
    private var streams = 0
    private var isClosing = false

    /// Starts tasks until the runner is closed and the last stream has ended.
    func run(on loop: EventLoop) async {
        await withDiscardingTaskGroup { group in
            while await hasDue() {
                let batch = due
                due.removeAll(keepingCapacity: batch.count <= 1024)
                for (index, connection) in batch.enumerated() {
                    group.addTask(executorPreference: loop) { await connection.runSteps() }
                    // The started tasks run, and mostly end, before this one continues.
                    if index % StreamRunner.atOnce == StreamRunner.atOnce - 1 { await Task.yield() }
                }
            }
        }
    }

    /// Counts a stream that begins.
    func enrol() { streams += 1 }

    /// Counts a stream that has ended.
    func dismiss() {
        streams -= 1
        wake()
    }

    /// Schedules a step of a connection's stream.
    func schedule(_ connection: HTTPConnection) {
        due.append(connection)
        wake()
    }

    /// Says that no new stream begins.
    func close() {
        isClosing = true
        wake()
    }

    /// Waits for work; false when there will be none.
    private func hasDue() async -> Bool {
        while due.isEmpty {
            if isClosing, streams == 0 { return false }
            await unsafe withUnsafeContinuation { unsafe waiter = $0 }
        }
        return true
    }

    private func wake() {
        guard let waiting = unsafe waiter else { return }
        unsafe waiter = nil
        unsafe waiting.resume()
    }
}
