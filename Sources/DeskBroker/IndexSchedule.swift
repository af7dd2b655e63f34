package import DeskModel

/// Decides when search and the readers of the log may read on: not while messages come fast, unless they are far behind.
///
/// Messages come in lumps, as many as one commit holds, so that a look between two commits sees none:
/// what came fast lately counts for a while.
package struct IndexSchedule: Sendable {
    /// The time over which events are counted.
    package static let window = Duration.milliseconds(100)
    /// Events in a window from which on they come fast for a reader: 2,500 a second.
    package static let busyForReaders: Int64 = 250
    /// Events in a window from which on they come fast for search: 1,000 a second.
    ///
    /// To index a message costs a database more than to accept it, and a slow machine accepts no more beside that.
    package static let busyForSearch: Int64 = 100
    /// The time for which messages that came fast are waited for to go on.
    package static let lull = Duration.seconds(1)
    /// Events behind which a reader stays no further for the sake of others.
    package static let maximumBehind: Int64 = 262_144

    /// What the index is to do now.
    package enum Step: Hashable, Sendable {
        /// Leave the processor to requests.
        case standBack
        /// Read on behind all other work.
        case readOn
        /// Read at ordinary priority: it is too far behind.
        case urgent
    }

    /// Events in a window from which on they come fast.
    private let busyEvents: Int64
    /// How far the log went when the window began.
    private var seen: Position
    private var began: ContinuousClock.Instant
    private var busyUntil: ContinuousClock.Instant

    /// Begins a window.
    ///
    /// - Parameter busyEvents: `busyForReaders` or `busyForSearch`.
    package init(
        newest: Position, at now: ContinuousClock.Instant, busyEvents: Int64 = busyForReaders
    ) {
        self.busyEvents = busyEvents
        seen = newest
        began = now
        busyUntil = now
    }

    /// Looks at the log again.
    package mutating func next(
        newest: Position, indexed: Position, at now: ContinuousClock.Instant
    ) -> Step {
        let passed = max(began.duration(to: now), Self.window)
        let isFast =
            Double(newest.value - seen.value) >= Double(busyEvents) * (passed / Self.window)
        if isFast { busyUntil = now + Self.lull }
        if isFast || began.duration(to: now) >= Self.window {
            seen = newest
            began = now
        }
        if newest.value - indexed.value > Self.maximumBehind { return .urgent }
        return now < busyUntil ? .standBack : .readOn
    }
}
