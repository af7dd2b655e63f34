import DeskModel

/// Tasks that wait until the tail has published a position.
struct PositionWaiters {
    private var waiting: [Int: (position: Position, waiter: CheckedContinuation<Void, Never>)] = [:]
    private var last = 0

    /// A name under which to wait.
    mutating func makeID() -> Int {
        last += 1
        return last
    }

    mutating func add(
        _ waiter: CheckedContinuation<Void, Never>, as id: Int, until position: Position
    ) {
        waiting[id] = (position, waiter)
    }

    /// Removes a waiter that gave up; nil when it was woken before.
    mutating func remove(_ id: Int) -> CheckedContinuation<Void, Never>? {
        waiting.removeValue(forKey: id)?.waiter
    }

    /// Adds the tasks that wait for this position or an earlier one to the tasks to wake.
    mutating func wake(upTo position: Position, into woken: inout [TailState.Woken]) {
        guard !waiting.isEmpty else { return }
        for (id, one) in waiting where one.position <= position {
            waiting[id] = nil
            woken.append(.task(one.waiter))
        }
    }
}
