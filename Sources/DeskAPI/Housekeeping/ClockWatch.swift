import DeskModel
import Synchronization

/// Knows whether the wall clock can be believed enough to delete by it.
///
/// What has ended is refused at once by `TimeSource.latest`, and that can be fixed by a restart. What
/// is deleted is gone: a clock that was wrong for an hour must not cost every customer the
/// conversation. So the wall clock has to run evenly with the monotonic one for a day after each jump.
final class ClockWatch: Sendable {
    /// How far the clocks may part between two looks, and the wall clock be behind the last one kept.
    static let leeway = Duration.seconds(3_600)
    /// How far the wall clock may be ahead of the last time kept when a server starts.
    static let away = Duration.seconds(7 * 86_400)
    /// How long the clocks have to run evenly after a jump.
    static let patience = Duration.seconds(86_400)

    private struct State {
        var wall: Timestamp
        var instant: ContinuousClock.Instant
        var believedFrom: ContinuousClock.Instant
    }

    private let time: TimeSource
    private let state: Mutex<State>

    /// Begins to watch; `kept` is a time of an earlier run that was believed, nil when there is none.
    init(time: TimeSource, kept: Timestamp?) {
        self.time = time
        let (wall, instant) = (time.now(), time.instant())
        var isEven = true
        if let kept {
            let ahead = wall.since(kept)
            isEven = ahead >= .zero - Self.leeway && ahead <= Self.away
        }
        state = Mutex(
            State(
                wall: wall, instant: instant,
                believedFrom: isEven ? instant : instant + Self.patience))
    }

    /// The wall clock's time; nil while it cannot be believed.
    func look() -> Timestamp? {
        let (wall, instant) = (time.now(), time.instant())
        return state.withLock { state in
            let parted = wall.since(state.wall) - state.instant.duration(to: instant)
            if parted > Self.leeway || parted < .zero - Self.leeway {
                state.believedFrom = instant + Self.patience
            }
            state.wall = wall
            state.instant = instant
            return instant >= state.believedFrom ? wall : nil
        }
    }
}
