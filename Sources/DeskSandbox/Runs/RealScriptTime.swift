import DeskModel
import DeskScript
import Synchronization

/// The time of an ordinary server: everybody's, so a script never moves it.
///
/// A wait is a real one, and can be skipped; then nothing else comes earlier.
final class RealScriptTime: ScriptTime {
    private struct State {
        var skip: AsyncStream<Void>.Continuation?
        var interruption = ScriptRuns.lost
    }

    let longestRun = ScriptRuns.longestRun
    let patience = ScriptRuns.patience
    let start: Timestamp
    private let source: TimeSource
    private let state = Mutex(State())

    init(_ source: TimeSource) {
        self.source = source
        start = source.now()
    }

    var now: Timestamp { source.now() }
    var interruption: String { state.withLock { $0.interruption } }

    func isTried(_ due: Timestamp) -> String {
        "in \(TimeSpan.text(.seconds(max(.zero, due.since(now)).components.seconds)))"
    }

    func pass(_ span: Duration) async -> Bool {
        let (skips, skip) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.skip = skip }
        defer { state.withLock { $0.skip = nil } }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                // Safe: only cancellation ends a sleep early, and the runner sees it.
                try? await self.source.sleep(span)
                return true
            }
            group.addTask {
                for await _ in skips { return false }
                return true
            }
            let isWhole = await group.next() ?? true
            group.cancelAll()
            return isWhole
        }
    }

    /// Ends the wait that is under way; false when there is none.
    func skipWait() -> Bool {
        state.withLock { state in
            guard let skip = state.skip else { return false }
            skip.yield()
            return true
        }
    }

    /// Says why the run is ended from outside, in a sentence.
    func interrupt(_ reason: String) {
        state.withLock { $0.interruption = reason }
    }
}
