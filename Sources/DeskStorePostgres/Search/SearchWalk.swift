import DeskModel

/// A search's way through the log, from the newest position to the oldest, in two parts.
///
/// In the newest part messages are read one by one, and no more of them than fill the page: there a frequent
/// word fills it, of which the index of terms would give every message. The older part is looked up in the
/// index of terms.
struct SearchWalk {
    /// Messages of the newest part, which are read in a few milliseconds.
    static let newestMessages: Int64 = 1 << 12

    /// What is looked through together.
    struct Part: Equatable {
        let positions: Range<Int64>
        let isNewest: Bool
    }

    /// Where the newest part begins.
    private let border: Int64
    private var end: Int64

    /// Begins before a position; at `border` is the oldest message of the newest part.
    init(before end: Position, border: Position) {
        self.end = end.value
        self.border = max(1, border.value)
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
