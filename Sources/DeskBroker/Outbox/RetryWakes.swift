import DeskModel
import Synchronization

/// The outboxes that run in this process, which look at their queues when deliveries are brought forward.
final class RetryWakes: Sendable {
    private let running = Mutex<[Outbox]>([])

    /// Has an outbox look at its queue after each retry from now on.
    func begin(_ outbox: Outbox) {
        running.withLock { $0.append(outbox) }
    }

    /// Ends it for that outbox; another of the same target may run already.
    func end(_ outbox: Outbox) {
        running.withLock { $0.removeAll { $0 === outbox } }
    }

    /// Has an outbox that runs here look at its queue, to which `requeued` deliveries were added.
    func notify(_ id: OutboxID, requeued: Int) {
        for outbox in running.withLock({ $0 }) where outbox.id == id {
            outbox.wake(requeued: requeued)
        }
    }
}
