import DeskLog

/// What all outboxes of a server count together.
struct DeliveryCounts: Sendable {
    private let accepted, failed, refused: Counter
    /// Deliveries given up.
    let dead: Counter
    /// Deliveries that are noted and not yet made or given up, of the outboxes that run.
    let waiting: Gauge

    init(_ metrics: Metrics) {
        func counter(_ result: String) -> Counter {
            metrics.counter(
                "frontdesk_outbox_attempts_total",
                help: "Attempts to send to a delivery target, by how they ended.",
                labels: ["result": result])
        }
        accepted = counter("accepted")
        failed = counter("failed")
        refused = counter("refused")
        dead = metrics.counter(
            "frontdesk_outbox_dead_total", help: "Deliveries given up: refused, or tried in vain.")
        waiting = metrics.gauge(
            "frontdesk_outbox_waiting", help: "Deliveries that are to be made, tried ones too.")
    }

    /// Counts an attempt that was not cut short.
    func record(_ result: DeliveryResult) {
        switch result {
        case .accepted: accepted.add()
        case .failed: failed.add()
        case .refused: refused.add()
        }
    }
}
