import DeskLog

/// What the notifying of browsers counts.
struct PushCounts: Sendable {
    /// Accepted by the push service, given up, and of subscriptions that ended there.
    let sent, failed, gone: Counter
    /// What waits for its first attempt, or for another one.
    let waiting: Gauge
    private let seconds: Histogram

    init(_ metrics: Metrics) {
        func messages(_ result: String) -> Counter {
            metrics.counter(
                "frontdesk_push_messages_total",
                help: "Messages to browsers of customers and agents, by how they ended.",
                labels: ["result": result])
        }
        sent = messages("sent")
        failed = messages("failed")
        gone = messages("gone")
        waiting = metrics.gauge(
            "frontdesk_push_messages_waiting",
            help: "Messages to browsers of customers and agents that wait to be sent, or run.")
        seconds = metrics.histogram(
            "frontdesk_push_attempt_seconds", help: "How long attempts to push took.",
            bounds: [10, 50, 100, 500, 2_000, 5_000, 10_000], scale: 0.001)
    }

    func record(milliseconds: Int) { seconds.record(milliseconds) }
}
