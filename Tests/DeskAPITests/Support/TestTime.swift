import DeskAPI
import DeskModel
import Synchronization

/// Clocks that stand still until they are moved; sleepers wake when their time has come.
final class TestTime: Sendable {
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

    private let start = Timestamp(seconds: 1_900_000_000)
    private let origin = ContinuousClock.now
    private let state = Mutex(State())

    var source: TimeSource {
        TimeSource(
            now: { self.now }, instant: { self.origin + self.state.withLock { $0.passed } },
            sleep: { try await self.sleep($0) })
    }

    var now: Timestamp { start.advanced(by: state.withLock { $0.passed }) }

    /// How many wait.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves both clocks and wakes whoever is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.passed += duration
            let due = state.sleepers.filter { $0.until <= state.passed }
            state.sleepers.removeAll { $0.until <= state.passed }
            return due
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
                    if state.cancelled.remove(id) != nil { return true }
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
        try Task.checkCancellation()
    }
}
