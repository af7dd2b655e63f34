import Synchronization

/// A clock that moves only when it is advanced, for servers that exist to test others.
///
/// It only moves forward. Order: waiting tasks are woken in the order of the moments they wait for.
public final class VirtualClock: Sendable {
    private struct Sleeper {
        let id: Int
        let until: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var passed = Duration.zero
        var sleepers: [Sleeper] = []
        var next = 0
        var cancelled: Set<Int> = []
    }

    private let start: Timestamp
    private let origin = ContinuousClock.now
    private let state = Mutex(State())

    /// A clock that shows `start`.
    public init(start: Timestamp) { self.start = start }

    /// What it shows.
    public var now: Timestamp { start.advanced(by: state.withLock { $0.passed }) }

    /// Both clocks of a server, and its sleep, governed by this one.
    public var source: TimeSource {
        TimeSource(
            now: { self.now }, instant: { self.origin + self.state.withLock { $0.passed } },
            sleep: { try await self.sleep($0) })
    }

    /// How many wait.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves forward and wakes the tasks whose moment has come.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "a clock goes forward, not by \(duration)")
        let due = state.withLock { state in
            state.passed += duration
            let due = state.sleepers.filter { $0.until <= state.passed }
            state.sleepers.removeAll { $0.until <= state.passed }
            return due.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(id) != nil || duration <= .zero { return true }
                    let until = state.passed + duration
                    state.sleepers.append(
                        Sleeper(id: id, until: until, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume()
        }
        // A task cancelled after its moment had come left a mark that no other task reads.
        _ = state.withLock { $0.cancelled.remove(id) }
        try Task.checkCancellation()
    }
}
