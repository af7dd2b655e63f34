import Synchronization

/// Bounds how many attempts run at once, over all outboxes of the server.
///
/// Order: the longest waiter goes first.
public final class AttemptSemaphore: Sendable {
    private struct State {
        var free: Int
        var next = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// Lets as many run at once.
    public init(_ count: Int) {
        precondition(count > 0, "\(count) slots")
        state = Mutex(State(free: count))
    }

    /// Runs one attempt when a slot is free; nil when the task was cancelled before.
    func with<Value: Sendable>(_ body: () async -> Value) async -> Value? {
        guard await take() else { return nil }
        defer { giveBack() }
        return await body()
    }

    private func take() async -> Bool {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let place = state.waiting.firstIndex { $0.ticket == ticket }
                return place.map { state.waiting.remove(at: $0).continuation }
            }
            waiter?.resume(returning: false)
        }
    }

    private func giveBack() {
        let waiter = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.waiting.removeFirst().continuation
        }
        waiter?.resume(returning: true)
    }
}
