import DeskModel
import Synchronization

/// Says to the other nodes, one of which runs an outbox, that its deliveries are due earlier.
///
/// A notice that is lost leaves them to the time at which they were due before.
final class PostgresRetries: Sendable {
    private struct State {
        /// Deliveries that were requeued and are not said yet, by their outbox.
        var pending: [OutboxID: Int] = [:]
        var listeners: [@Sendable (OutboxID, Int) -> Void] = []
    }

    private final class Shared: Sendable {
        let state = Mutex(State())

        func drain() -> [String] {
            state.withLock { state in
                defer { state.pending = [:] }
                return state.pending.map { "\($0.key.text) \($0.value)" }
            }
        }

        func receive(_ item: Substring) {
            let parts = item.split(separator: " ")
            guard parts.count == 2, let outbox = UniqueID(String(parts[0])).map(OutboxID.init),
                let requeued = Int(parts[1]), requeued >= 0
            else { return }
            for listener in state.withLock(\.listeners) { listener(outbox, requeued) }
        }
    }

    private let shared = Shared()
    private let gatherer: NoticeGatherer

    /// For a node's notices, once for each node.
    init(_ notices: PostgresNotices) {
        gatherer = NoticeGatherer(
            notices, on: .outbox, every: .milliseconds(20),
            drain: { [shared] _ in shared.drain() },
            receive: { [shared] item, _ in shared.receive(item) })
    }

    /// Says that an outbox has deliveries that are due earlier, of which so many were requeued.
    func announce(_ outbox: OutboxID, _ requeued: Int) {
        shared.state.withLock { $0.pending[outbox, default: 0] += requeued }
        gatherer.gather()
    }

    /// Calls a listener with what other nodes say.
    func follow(_ listener: @escaping @Sendable (OutboxID, Int) -> Void) {
        shared.state.withLock { $0.listeners.append(listener) }
    }
}
