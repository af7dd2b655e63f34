import DeskModel
import Synchronization

/// How far this process has followed the log, and the listener of its events.
///
/// Events of this process come from its writer, those of others from the database; the listener gets every
/// one once and in order, from the writer or from the database.
final class PostgresFeed: Sendable {
    /// Where the last event is that was handed over, and by what it is recognised.
    struct Last: Sendable {
        let position: Position
        /// Nil until an event was seen.
        let mark: EventMark?
    }

    private struct State {
        var newest: Int64
        var mark: EventMark?
        var oldest: Int64
        var listener: (@Sendable ([Event]) -> Void)?
        /// Called when others have written what was not handed over yet.
        var lag: @Sendable () -> Void = {}
    }

    private let state: Mutex<State>

    init(newest: Int64, oldest: Int64) {
        state = Mutex(State(newest: newest, oldest: oldest))
    }

    var last: Last {
        state.withLock { Last(position: Position($0.newest), mark: $0.mark) }
    }

    var newest: Position { Position(state.withLock { $0.newest }) }
    var oldest: Position { Position(state.withLock { $0.oldest }) }

    func follow(_ listener: @escaping @Sendable ([Event]) -> Void) {
        state.withLock { state in
            precondition(state.listener == nil, "the log is followed already")
            state.listener = listener
        }
    }

    /// Has a closure called when events of others have to be read.
    func onLag(_ lag: @escaping @Sendable () -> Void) { state.withLock { $0.lag = lag } }

    /// Remembers by what the newest event is recognised, unless there is a newer one.
    func remember(_ mark: EventMark) {
        state.withLock { state in
            if state.newest == mark.position.value, state.mark == nil { state.mark = mark }
        }
    }

    func forget(upTo position: Position) {
        state.withLock { $0.oldest = max($0.oldest, position.value) }
    }

    /// Hands over events that follow each other; those that were handed over before are left out.
    ///
    /// Where others are missing before the first, nothing is handed over: they are read from the database.
    /// - Parameter isRead: they were read from the database, which has nothing between those that it has: what is
    ///   missing was forgotten by another process.
    func publish(_ events: [Event], isRead: Bool = false) {
        guard let first = events.first?.id.position.value,
            let last = events.last?.id.position.value
        else { return }
        // Under the lock: two threads publish, and the listener gets in order what they have.
        let lag: (@Sendable () -> Void)? = state.withLock { state in
            guard isRead || first <= state.newest + 1 else { return state.lag }
            guard last > state.newest else { return nil }
            let known = state.newest
            state.newest = last
            state.mark = events.last.flatMap { EventMark($0) }
            state.listener?(
                first > known ? events : events.filter { $0.id.position.value > known })
            return nil
        }
        lag?()
    }
}
