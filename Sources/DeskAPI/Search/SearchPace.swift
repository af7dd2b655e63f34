import DeskModel

/// Decides when the search index may read on: not while messages come fast, unless it is far behind.
struct SearchPace: Sendable {
    /// Events between two looks from which on they come fast: 2,500 a second.
    static let busyEvents: Int64 = 250
    /// Events behind which search stays no further for the sake of others.
    static let maximumBehind: Int64 = 262_144

    /// What the index is to do now.
    enum Step: Hashable, Sendable {
        /// Leave the processor to those who accept.
        case standBack
        /// Read on behind all other work.
        case readOn
        /// Read on like everybody else: it is too far behind.
        case hurry
    }

    /// How far the log went at the last look.
    private var seen: Position

    init(newest: Position) { seen = newest }

    /// Looks at the log again.
    mutating func next(newest: Position, indexed: Position) -> Step {
        let grown = newest.value - seen.value
        seen = newest
        if newest.value - indexed.value > Self.maximumBehind { return .hurry }
        return grown < Self.busyEvents ? .readOn : .standBack
    }
}
