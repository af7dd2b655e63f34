package import DeskModel

/// Where a page lies in a list.
public enum PageEdge<Place: Sendable>: Sendable {
    /// At its beginning.
    case start
    /// Behind an element, which is no part of it.
    case after(Place)
    /// Before an element, which is no part of it: those next to it, in the order of the list.
    case before(Place)

    /// The page behind an element; the first one without.
    public init(after place: Place?) {
        self = place.map { .after($0) } ?? .start
    }

    /// Whether the elements are read from the page's end towards the list's beginning.
    public var isBackward: Bool {
        if case .before = self { true } else { false }
    }

    /// The element that it lies beside; nil at the beginning.
    public var place: Place? {
        switch self {
        case .start: nil
        case .after(let place), .before(let place): place
        }
    }

    /// A page of elements in the order in which they were read from this edge on.
    ///
    /// - Parameter read: how many rows there were, damaged ones too; all of `found` unless stated. More than
    ///   `limit` say that the list has more.
    public func page<Element: Sendable>(
        _ found: [Element], limit: Int, read: Int? = nil
    ) -> Page<Element> {
        let elements = found.prefix(limit)
        return Page(
            elements: isBackward ? elements.reversed() : Array(elements),
            hasMore: (read ?? found.count) > limit)
    }
}

extension PageEdge where Place == Position {
    /// The positions of the log that a page may have, of a list that begins with the newest.
    package func positions(upTo newest: Position) -> Range<Int64> {
        let end = newest.value + 1
        switch self {
        case .start: return 1..<max(1, end)
        case .after(let place): return 1..<max(1, min(place.value, end))
        case .before(let place):
            let first = max(1, place.value + 1)
            return first..<max(first, end)
        }
    }
}

extension PageEdge: Equatable where Place: Equatable {}
