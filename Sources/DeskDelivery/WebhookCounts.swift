import DeskLog
import DeskModel

/// What the sending to endpoints counts.
struct WebhookCounts: Sendable {
    private let accepted, failed, refused: Counter
    private let gone, failing: Counter
    /// Deliveries given up.
    let dead: Counter
    /// Attempts under way.
    let running: Gauge
    /// Enabled endpoints whose secrets cannot be read.
    let unreadable: Gauge
    private let seconds: Histogram

    init(_ metrics: Metrics) {
        func attempts(_ result: String) -> Counter {
            metrics.counter(
                "frontdesk_webhook_attempts_total",
                help: "Attempts to post to webhook endpoints, by how they ended.",
                labels: ["result": result])
        }
        func disabled(_ reason: Webhook.DisabledReason) -> Counter {
            metrics.counter(
                "frontdesk_webhook_disabled_total",
                help: "Webhook endpoints that the server disabled, by the reason.",
                labels: ["reason": reason.rawValue])
        }
        accepted = attempts("accepted")
        failed = attempts("failed")
        refused = attempts("refused")
        gone = disabled(.gone)
        failing = disabled(.failing)
        dead = metrics.counter(
            "frontdesk_webhook_dead_total", help: "Deliveries to webhook endpoints given up.")
        running = metrics.gauge(
            "frontdesk_webhook_attempts_running", help: "Attempts to post that run now.")
        unreadable = metrics.gauge(
            "frontdesk_webhook_secrets_unreadable",
            help: "Enabled webhook endpoints whose secrets cannot be read, on the node that posts.")
        seconds = metrics.histogram(
            "frontdesk_webhook_attempt_seconds", help: "How long attempts to post took.",
            bounds: [10, 50, 100, 500, 2_000, 5_000, 15_000], scale: 0.001)
    }

    func record(_ outcome: WebhookOutcome) {
        if outcome.isAccepted {
            accepted.add()
        } else if outcome.isGone {
            refused.add()
        } else {
            failed.add()
        }
        seconds.record(outcome.milliseconds)
    }

    func record(_ reason: Webhook.DisabledReason) {
        switch reason {
        case .gone: gone.add()
        case .failing: failing.add()
        case .member: break
        }
    }
}
