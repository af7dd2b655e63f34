/// Gives a task to each resting stream whose turn has come; the parent of these tasks.
///
/// Thread: touched only on its loop's thread.
@safe final class Crew {
    /// Tasks that are begun before the first of them runs; so many that wake at once share memory.
    private static let atOnce = 64

    private var due: [Connection] = []
    private var waiter: UnsafeContinuation<Void, Never>?
    private var streams = 0
    private var isClosing = false

    /// Begins tasks until the crew is closed and the last stream is over.
    func run(on loop: EventLoop) async {
        await withDiscardingTaskGroup { group in
            while await hasDue() {
                let batch = due
                due.removeAll(keepingCapacity: batch.count <= 1024)
                for (index, connection) in batch.enumerated() {
                    group.addTask(executorPreference: loop) { await connection.takeTurns() }
                    // The tasks that were begun run, and mostly end, before this one goes on.
                    if index % Crew.atOnce == Crew.atOnce - 1 { await Task.yield() }
                }
            }
        }
    }

    /// Counts a stream that begins.
    func enrol() { streams += 1 }

    /// Counts a stream that is over.
    func dismiss() {
        streams -= 1
        wake()
    }

    /// A connection's stream has its turn.
    func take(_ connection: Connection) {
        due.append(connection)
        wake()
    }

    /// No new stream will come.
    func close() {
        isClosing = true
        wake()
    }

    /// Waits for work; false when there will be none any more.
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
