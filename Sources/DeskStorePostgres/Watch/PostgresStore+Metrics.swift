public import DeskLog
import DeskModel
import DeskSQL

extension PostgresStore {
    /// Shows how far this process has followed the log, and how many jobs wait.
    public func show(in metrics: Metrics) {
        let (feed, jobs, registries) = (feed, jobs, registries)
        metrics.reading("frontdesk_log_position", help: "The newest event's position.") {
            Double(feed.newest.value)
        }
        metrics.reading(
            "frontdesk_queue_jobs", help: "Jobs that wait, by whom they wait for.",
            labels: ["queue": "writer"]
        ) { Double(jobs.waiting) }
        metrics.reading(
            "frontdesk_queue_jobs", help: "Jobs that wait, by whom they wait for.",
            labels: ["queue": "readers"]
        ) { Double(registries.waitingReads) }
    }
}
