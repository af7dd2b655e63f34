import DeskBytes
import Synchronization

/// The leases of a store that one process opens at a time, in memory, by its monotonic clock.
///
/// A process that has ended holds nothing and writes nothing. A term is the number of the store's
/// start and a count within it, so that terms rise from one start to the next.
package final class ProcessLeases: Sendable {
    private struct Held {
        let term: Int64
        var end: ContinuousClock.Instant
    }

    private struct State {
        var held: [ByteString: Held] = [:]
        var start: Int64?
        var count: Int64 = 0
    }

    /// Leases of one start before their count would reach the next start's.
    private static let termsPerStart: Int64 = 1 << 32

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    /// No leases; `now` is the monotonic clock.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Whether `begin` was called.
    package var hasBegun: Bool { state.withLock { $0.start != nil } }

    /// Says which start of the store this is; the first number that is said counts.
    package func begin(_ start: Int64) {
        state.withLock { state in
            if state.start == nil { state.start = start }
        }
    }

    /// Acquires a lease that is free or whose life has ended, and says which of both it was.
    ///
    /// `begin` comes before.
    package func acquire(
        _ name: String, life: Duration
    ) -> (lease: Lease, isTakeover: Bool)? {
        let now = now()
        let key = ByteString(name)
        return state.withLock { state in
            let before = state.held[key]
            if let before, before.end > now { return nil }
            guard let start = state.start else { preconditionFailure("leases before the start") }
            state.count += 1
            let term = start * Self.termsPerStart + state.count
            state.held[key] = Held(term: term, end: now + life)
            return (Lease(name: name, term: term), before != nil)
        }
    }

    /// How long a lease lives on unless it is renewed; nil when there is none of the name.
    package func left(of name: String) -> Duration? {
        let now = now()
        return state.withLock { $0.held[ByteString(name)].map { now.duration(to: $0.end) } }
    }

    /// Whether a lease was neither released nor acquired by another since.
    package func isCurrent(_ lease: Lease) -> Bool {
        state.withLock { $0.held[ByteString(lease.name)]?.term == lease.term }
    }

    /// Lets a lease live on; false when it was released or acquired by another since.
    package func renew(_ lease: Lease, life: Duration) -> Bool {
        let now = now()
        let key = ByteString(lease.name)
        return state.withLock { state in
            guard state.held[key]?.term == lease.term else { return false }
            state.held[key]?.end = now + life
            return true
        }
    }

    /// Gives a lease back, unless another acquired it since.
    package func release(_ lease: Lease) {
        let key = ByteString(lease.name)
        state.withLock { state in
            guard state.held[key]?.term == lease.term else { return }
            state.held[key] = nil
        }
    }
}
