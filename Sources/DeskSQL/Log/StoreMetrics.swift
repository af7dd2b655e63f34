package import DeskLog
package import DeskModel

/// What is counted of the commits of a log, under the same names for every engine.
package struct CommitCounts: Sendable {
    private let jobs, microseconds: Histogram

    package init(_ metrics: Metrics) {
        jobs = metrics.histogram(
            "frontdesk_commit_jobs", help: "Requests that one commit served.",
            bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256])
        microseconds = metrics.histogram(
            "frontdesk_commit_seconds", help: "Time of a commit, flush included.",
            bounds: [
                100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000,
                2_500_000,
            ], scale: 0.000001)
    }

    /// Counts a transaction that was committed, before its callers are answered.
    package func record(_ jobs: Int, since begin: ContinuousClock.Instant) {
        self.jobs.record(jobs)
        microseconds.record(Int(begin.duration(to: .now) / .microseconds(1)))
    }
}

/// What jobs of a store may wait for.
package enum StoreQueue: String, Sendable {
    case writer, readers, search
}

extension Metrics {
    /// Shows how far a process has followed the log.
    package func showLog(newest: @escaping @Sendable () -> Position) {
        reading("frontdesk_log_position", help: "The newest event's position.") {
            Double(newest().value)
        }
    }

    /// Shows how many jobs of a store wait in one of its queues.
    package func show(_ queue: StoreQueue, waiting: @escaping @Sendable () -> Int) {
        reading(
            "frontdesk_queue_jobs", help: "Jobs that wait, by whom they wait for.",
            labels: ["queue": queue.rawValue]
        ) { Double(waiting()) }
    }

    /// Shows how many events an index has not read yet; `indexed` is nil once the index is gone.
    package func showSearch(
        newest: @escaping @Sendable () -> Position, indexed: @escaping @Sendable () -> Position?
    ) {
        reading("frontdesk_search_behind", help: "Events that search has not read yet.") {
            Double(max(0, newest().value - (indexed()?.value ?? 0)))
        }
    }
}
