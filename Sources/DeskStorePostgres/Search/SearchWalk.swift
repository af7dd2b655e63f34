import DeskModel

/// A search's way through positions of the log in two parts, from the newest to the oldest or backwards.
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
        var isBackward = false
    }

    /// Where the newest part begins.
    private let border: Int64
    private let isBackward: Bool
    private var left: Range<Int64>

    /// Begins with all of some positions; at `border` is the oldest message of the newest part.
    init(_ positions: Range<Int64>, border: Position, isBackward: Bool = false) {
        left = positions
        self.border = max(1, border.value)
        self.isBackward = isBackward
    }

    /// What to look through next; nil when everything was.
    var part: Part? {
        guard !left.isEmpty else { return nil }
        let isNewest = isBackward ? left.lowerBound >= border : left.upperBound > border
        let positions =
            switch (isNewest, isBackward) {
            case (true, false): max(border, left.lowerBound)..<left.upperBound
            case (false, true): left.lowerBound..<min(border, left.upperBound)
            case (true, true), (false, false): left
            }
        return Part(positions: positions, isNewest: isNewest, isBackward: isBackward)
    }

    /// Beside which place another search goes on; nil when everything was looked through.
    var rest: Position? {
        guard !left.isEmpty else { return nil }
        return Position(isBackward ? left.lowerBound - 1 : left.upperBound)
    }

    /// Goes on behind the part, or behind the last that was handled of it when there is more.
    mutating func advance(behind last: Position?) {
        guard let part else { return }
        if isBackward {
            let start = last.map { $0.value + 1 } ?? part.positions.upperBound
            left = start..<max(start, left.upperBound)
        } else {
            let end = last?.value ?? part.positions.lowerBound
            left = left.lowerBound..<max(left.lowerBound, end)
        }
    }
}
