import Synchronization

/// Messages that were to be sent together: who made them waits until each was attempted once.
final class PushBatch: Sendable {
    private let left: Mutex<Set<PushMessage.Key>>
    private let done: AsyncStream<Void>
    private let doneInput: AsyncStream<Void>.Continuation

    /// Begins a batch of messages of these names.
    init(_ names: some Sequence<PushMessage.Key>) {
        let names = Set(names)
        left = Mutex(names)
        (done, doneInput) = AsyncStream.makeStream()
        if names.isEmpty { doneInput.finish() }
    }

    /// Notes that a message was attempted, or is not waited for.
    func note(_ name: PushMessage.Key) {
        let isOver = left.withLock { left in
            left.remove(name)
            return left.isEmpty
        }
        if isOver { doneInput.finish() }
    }

    /// Returns when each was noted.
    ///
    /// Cancel: returns.
    func wait() async {
        for await _ in done {}
    }
}
