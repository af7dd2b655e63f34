public import DeskModel
public import DeskStore
import Synchronization

extension Broker {
    /// Reads events after a position as the log has them, from recent memory where that reaches back so far.
    ///
    /// Readers of the whole log use it: what was committed a moment ago costs the
    /// store nothing. Order and limit as of `EventLog.events(after:in:limit:)`.
    public func page(
        after position: Position, in scope: EventScope, limit: Int
    ) async throws(StoreError) -> EventPage {
        if let page = tail.page(after: position, in: scope, limit: min(limit, 300)) { return page }
        return try await log.events(after: position, in: scope, limit: limit)
    }
}

extension Tail {
    /// A page of recent events; nil where the log has to be read.
    func page(after position: Position, in scope: EventScope, limit: Int) -> EventPage? {
        state.withLock { $0.page(after: position, in: scope, limit: limit) }
    }
}
