public import DeskModel
import Synchronization

/// The right of one node to answer from what it remembers of credentials, for as long as it renews.
///
/// A node renews it once it has heard of every change until then, so it renews nothing while a change
/// waits for its acknowledgement. One that ended never comes back: the node notifies its parts of
/// `everything` and joins anew, with an empty memory.
public final class CredentialLease: Sendable {
    /// How long a lease lives without being renewed; the longest that a revocation waits for a node.
    public static let life = Duration.milliseconds(1_500)
    /// How often a node renews its lease.
    public static let renewal = Duration.milliseconds(500)

    private struct State {
        var end: ContinuousClock.Instant
        var unacknowledged = 0
    }

    private let state: Mutex<State>
    private let time: TimeSource

    /// Begins now, by a node's monotonic clock.
    public convenience init(time: TimeSource) { self.init(time: time, from: time.instant()) }

    /// Begins at a moment: when the node asked for it.
    package init(time: TimeSource, from asked: ContinuousClock.Instant) {
        self.time = time
        state = Mutex(State(end: asked + Self.life))
    }

    /// Whether the node may answer from what it remembers.
    public var holds: Bool {
        let now = time.instant()
        return state.withLock { now < $0.end }
    }

    /// Lets it live on from now; false when it has ended, or a change is not acknowledged yet.
    public func renew() -> Bool { renew(from: time.instant()) }

    /// Lets it live on from when the node asked for that.
    package func renew(from asked: ContinuousClock.Instant) -> Bool {
        let now = time.instant()
        return state.withLock { state in
            guard now < state.end, state.unacknowledged == 0 else { return false }
            state.end = max(state.end, asked + Self.life)
            return true
        }
    }

    /// Ends it at once: the node leaves.
    public func release() {
        let now = time.instant()
        state.withLock { $0.end = min($0.end, now) }
    }

    /// Returns when it has ended.
    ///
    /// Cancel: returns.
    public func waitForEnd() async {
        while holds, !Task.isCancelled {
            let rest = time.instant().duration(to: state.withLock(\.end))
            // Safe: the loop looks whether it was cancelled.
            try? await time.sleep(max(rest, .milliseconds(1)))
        }
    }

    /// Notes that a change is on its way to the node.
    package func begin() { state.withLock { $0.unacknowledged += 1 } }

    /// Notes that the node has applied a change.
    package func acknowledge() { state.withLock { $0.unacknowledged -= 1 } }
}
