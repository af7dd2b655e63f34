import DeskModel
import DeskStore

/// Finds where in the log a moment is, by halving.
///
/// Positions rise with the time except where the clock was set back or where events came with an import, which
/// have times of their own and are passed over. So what it finds is where to begin to look.
struct EventSearch {
    /// Events that are looked through for one that was not imported.
    private static let page = 300

    private let store: any Store

    init(in store: any Store) { self.store = store }

    /// The position of the newest event up to a moment, after which everything is newer.
    func position(after time: Timestamp) async throws(StoreError) -> Position {
        let next = try await position(
            of: Timestamp(milliseconds: time.milliseconds + 1))
        return Position(max(0, next.value - 1))
    }

    /// The position of the first event at a moment or later; one behind the newest when there is none.
    ///
    /// Limit: a page of events for each halving, 63 at most.
    func position(of time: Timestamp) async throws(StoreError) -> Position {
        var low = store.oldest.value
        var high = store.newest.value
        // Everything up to `low` is earlier, and everything behind `high` is not.
        while low < high {
            let middle = low + (high - low) / 2
            guard let found = try await next(after: middle, upTo: high) else {
                // Where whole pages came with an import, the half that is left begins before them.
                high = middle
                continue
            }
            if found.time >= time {
                high = middle
            } else {
                low = found.id.position.value
            }
        }
        return Position(low + 1)
    }

    /// The first event behind a position that has the time of its commit; most often the very next one, so
    /// that a whole page is read only where many came with an import.
    private func next(after place: Int64, upTo high: Int64) async throws(StoreError) -> Event? {
        for limit in [1, Self.page] {
            let page = try await store.events(
                after: Position(place), in: .everything, limit: limit)
            let near = page.events.prefix { $0.id.position.value <= high }
            if near.isEmpty { return nil }
            if let found = near.first(where: { !$0.isImported && $0.type != .eventDamaged }) {
                return found
            }
        }
        return nil
    }
}
