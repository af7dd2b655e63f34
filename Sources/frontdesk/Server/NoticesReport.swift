import DeskLog
import DeskStore
import DeskStorePostgres
import Synchronization

/// What happens to the connection over which servers on one database hear each other.
final class NoticesReport: Sendable {
    /// How long a loss that repeats itself is not logged again: it is tried again each second.
    static let silence = Duration.seconds(60)

    private let log: Log
    private let connected: Gauge
    private let dropped: Counter
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The loss that was logged last, since the connection was there last.
    private let logged = Mutex<(reason: String, at: ContinuousClock.Instant)?>(nil)

    init(
        log: Log, metrics: Metrics,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.log = log
        self.now = now
        connected = metrics.gauge(
            "frontdesk_database_notices_connected",
            help: "1 while the connection for notices of other nodes is there, 0 while it is not.")
        dropped = metrics.counter(
            "frontdesk_database_notices_dropped_total",
            help: "Notices to other nodes that were too long and were not sent.")
    }

    func note(_ occurrence: PostgresNotices.Occurrence) {
        switch occurrence {
        case .connected:
            connected.set(1)
            logged.withLock { $0 = nil }
            log.info("database_notices_connected")
        case .disconnected(let error):
            connected.set(0)
            guard isNews(error.detail) else { return }
            guard let hint = DatabaseFailure.hint(error.detail) else {
                return log.warning("database_notices_lost", ["reason": .text(error.detail)])
            }
            log.warning(
                "database_notices_lost", ["reason": .text(error.detail), "hint": .text(hint)])
        case .dropped(let topic):
            dropped.add(1)
            log.error("database_notice_dropped", ["topic": .text(topic)])
        }
    }

    /// Whether a loss is another one than the one that was logged last, or that one was long ago.
    private func isNews(_ reason: String) -> Bool {
        let now = now()
        return logged.withLock { logged in
            if let last = logged, last.reason == reason, last.at.duration(to: now) < Self.silence {
                return false
            }
            logged = (reason, now)
            return true
        }
    }
}
