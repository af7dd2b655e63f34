import Synchronization

/// Whether the database answers this process.
final class PostgresHealth: Sendable {
    /// The time without an answer after which the database counts as not reachable.
    static let longestSilence: Duration = .seconds(2)
    /// The time after which a commit that waits, such as for a standby, counts as stuck.
    static let longestCommit: Duration = .seconds(5)

    /// The time between two looks at whether commits wait for a standby, or the server only reads.
    private static let interval: Duration = .milliseconds(500)

    private struct State {
        var seen: ContinuousClock.Instant
        var committing: ContinuousClock.Instant?
        var nextLook = ContinuousClock.now
        var isStandbyAwaited = false
        var isReadOnly = false
    }

    private let state = Mutex(State(seen: .now))

    /// Notes that the database has answered.
    func noteAnswer() { state.withLock { $0.seen = .now } }

    /// Whether to look now at whether commits, of whichever process, wait for a standby, or cannot be.
    func shouldLookAtStandby() -> Bool {
        state.withLock { state in
            guard state.nextLook <= .now else { return false }
            state.nextLook = .now + Self.interval
            return true
        }
    }

    /// Notes whether a commit has been waiting for a standby for too long.
    func noteStandby(isAwaited: Bool) { state.withLock { $0.isStandbyAwaited = isAwaited } }

    /// Notes whether the server only reads.
    func noteReadOnly(_ isReadOnly: Bool) { state.withLock { $0.isReadOnly = isReadOnly } }

    /// Notes that a commit begins.
    func beginCommit() { state.withLock { $0.committing = .now } }

    /// Notes that the commit has ended, in whichever way.
    func endCommit() { state.withLock { $0.committing = nil } }

    /// Whether it answered lately, may be written, and no commit is stuck.
    var isReachable: Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.seen <= Self.longestSilence, !state.isStandbyAwaited,
                !state.isReadOnly
            else { return false }
            return state.committing.map { now - $0 <= Self.longestCommit } ?? true
        }
    }
}
