import DeskModel
import Synchronization

/// How often an agent is notified: of more than the most in a minute only that there is more.
final class NoticePace: Sendable {
    /// The time in which they are counted, `PushBounds.mostNotices` at most.
    static let span = Duration.seconds(60)

    /// What a further notification becomes.
    enum Step: Hashable {
        /// It is sent.
        case each
        /// That there are several is sent in its place.
        case several
        /// Nothing: the agent knows that there are several.
        case nothing
    }

    private struct Window {
        let begin: ContinuousClock.Instant
        var count = 0
    }

    private let windows = Mutex<[AgentID: Window]>([:])

    /// Counts a notification of an agent.
    func next(for agent: AgentID, at now: ContinuousClock.Instant) -> Step {
        windows.withLock { windows in
            // Expired ones are removed: there are no more than agents who were notified in a minute.
            windows = windows.filter { $0.value.begin.duration(to: now) < Self.span }
            windows[agent, default: Window(begin: now)].count += 1
            switch windows[agent]?.count ?? 0 {
            case ...PushBounds.mostNotices: return .each
            case PushBounds.mostNotices + 1: return .several
            default: return .nothing
            }
        }
    }
}
