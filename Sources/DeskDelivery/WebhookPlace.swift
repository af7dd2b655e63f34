import DeskModel
import Synchronization

/// How far events are noted for endpoints in this process, for the metrics.
///
/// The reader is given events of businesses with endpoints alone: once all of those are noted it is level with the log,
/// however much others write.
package final class WebhookPlace: Sendable {
    private struct State {
        /// Everything up to it is noted; nil where another process does it.
        var position: Position?
        /// Whether nothing is left behind it.
        var isLevel = false
    }

    private let state = Mutex(State())

    /// Knows nothing yet.
    package init() {}

    /// Everything up to a position is noted; with nil another process does it.
    func set(_ position: Position?) { state.withLock { $0 = State(position: position) } }

    /// Nothing is left that an endpoint may want.
    func noteLevel() { state.withLock { $0.isLevel = true } }

    /// An event came, and everything before it is noted.
    func noteNews(at position: Position) {
        state.withLock { state in
            let before = Position(max(0, position.value - 1))
            state = State(position: max(before, state.position ?? .start))
        }
    }

    /// Whether it is still level with the log has to be found out.
    func doubt() { state.withLock { $0.isLevel = false } }

    /// How many events lie behind it; 0 where another process does it.
    func lag(behind newest: Position) -> Int64 {
        state.withLock { state in
            guard let position = state.position, !state.isLevel else { return 0 }
            return max(0, newest.value - position.value)
        }
    }
}
