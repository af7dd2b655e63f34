import Synchronization

/// Wakes one waiting task; a signal without a waiting task is kept, several count as one.
package final class WakeSignal: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// A signal without a notification.
    package init() {}

    package func notify() {
        let waiter = state.withLock { state in
            state.isRung = state.waiter == nil
            return take(&state)
        }
        waiter?.resume()
    }

    /// Waits for a notification.
    ///
    /// Cancel: returns.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    let isRung = state.isRung || Task.isCancelled
                    state.isRung = false
                    if !isRung { state.waiter = continuation }
                    return isRung
                }
                if isRung { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in take(&state) }
            waiter?.resume()
        }
    }

    private func take(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        defer { state.waiter = nil }
        return state.waiter
    }
}
