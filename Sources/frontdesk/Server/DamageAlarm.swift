import DeskLog
import DeskModel
import DeskStore
import Synchronization

/// Raises one alarm for each damaged thing, however often it is met.
final class DamageAlarm: Sendable {
    /// Damaged things that are reported one by one; beyond these only the number in the metrics
    /// rises.
    private static let maximumKnown = 1_000

    private let known = Mutex<Set<Damage>>([])
    private let log: Log
    private let gauge: Gauge

    init(log: Log, metrics: Metrics) {
        self.log = log
        gauge = metrics.gauge(
            "frontdesk_damaged_rows", help: "Stored things that are not what was written.")
    }

    /// Reports a finding; on any thread.
    func raise(_ damage: Damage) {
        let count: Int? = known.withLock { known in
            guard known.count < Self.maximumKnown, known.insert(damage).inserted else {
                return nil
            }
            return known.count
        }
        guard let count else { return }
        gauge.set(count)
        log.error(
            "row_damaged",
            [
                "kind": .text(damage.kind), "name": .text(damage.name ?? "-"),
                "conversation": .text(damage.conversation?.text ?? "-"),
                "sequence": .number(Int(damage.sequence?.value ?? 0)),
                "position": .number(Int(damage.position?.value ?? 0)),
                "reason": .text(damage.reason),
            ])
    }
}
