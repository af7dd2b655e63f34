import DeskModel

/// A search's way through the log, from the newest position to the oldest, in two parts.
///
/// In the newest part messages are read one by one: there a frequent word fills its page, of which the index
/// of terms would give every message. The older part is looked up in the index of terms.
struct SearchWalk {
    /// Positions of the newest part, which are read in a few milliseconds.
    private static let newestPositions: Int64 = 1 << 14

    /// What is looked through together.
    struct Part: Equatable {
        let positions: Range<Int64>
        let isNewest: Bool
    }

    /// Where the newest part begins.
    private let border: Int64
    private var end: Int64

    /// Begins before a position.
    init(before end: Position) {
        self.end = end.value
        border = max(1, end.value - Self.newestPositions)
    }

    /// What to look through next; nil when everything was.
    var part: Part? {
        guard end > 1 else { return nil }
        let isNewest = end > border
        return Part(positions: (isNewest ? border : 1)..<end, isNewest: isNewest)
    }

    /// Where another search goes on; nil when everything was looked through.
    var next: Position? { end > 1 ? Position(end) : nil }

    /// Goes on behind the part, or behind the last that was handled of it when there is more.
    mutating func advance(behind last: Position?) {
        guard let part else { return }
        end = last?.value ?? part.positions.lowerBound
    }
}
