public import DeskLog
import DeskModel
import DeskSQL
import DeskStore

/// Asks the database server every 15 s what protects its data and what keeps it from its work, for metrics and
/// the log.
///
/// Every node asks, without a lease: to renew one is a commit, which waits for a standby that is missing.
public struct DatabaseWatch: Sendable {
    private let registries: PostgresRegistries
    private let log: Log
    private let gauges: Gauges
    private let bounds: DatabaseAlarms.Bounds
    private let interval: Duration

    /// Watches the database of a store.
    public init(of store: PostgresStore, log: Log, metrics: Metrics) {
        self.init(of: store, log: log, metrics: metrics, bounds: .init(), interval: .seconds(15))
    }

    init(
        of store: PostgresStore, log: Log, metrics: Metrics, bounds: DatabaseAlarms.Bounds,
        interval: Duration
    ) {
        registries = store.registries
        self.log = log
        gauges = Gauges(metrics)
        self.bounds = bounds
        self.interval = interval
    }

    /// Asks until the task is cancelled; while the database does not answer, what was asked last stays.
    public func run() async {
        var alarms = DatabaseAlarms(bounds)
        while !Task.isCancelled {
            do throws(StoreError) {
                let status = try await registries.readRegistry { sql throws(StoreError) in
                    try DatabaseStatus.read(on: sql)
                }
                for change in alarms.note(status, at: .now) {
                    announce(change, status, oldest: alarms.oldest)
                }
                gauges.show(status, oldest: alarms.oldest?.age ?? .zero)
            } catch {
                // Whether it answers is said by others.
                guard error.code != .closed else { return }
            }
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }

    private func announce(
        _ change: DatabaseAlarms.Change, _ status: DatabaseStatus,
        oldest: (holder: DatabaseStatus.Holder, age: Duration)?
    ) {
        guard change.begins else {
            log.info("database_alarm_ended", ["alarm": .text(change.alarm.rawValue)])
            return
        }
        switch change.alarm {
        case .statisticsHidden: log.warning("database_statistics_hidden")
        case .standbyMissing: log.error("database_standby_missing")
        case .standbyBehind:
            log.warning("database_standby_behind", ["bytes": .number(status.standbyLag)])
        case .archiveFailing: log.error("database_archive_failing")
        case .settingsUnsafe:
            let off = status.settingsOff.joined(separator: ",")
            log.error("database_settings_unsafe", ["off": .text(off)])
        case .snapshotOld:
            guard let oldest else { return }
            log.warning(
                "database_snapshot_old",
                [
                    "kind": .text(oldest.holder.kind), "name": .text(oldest.holder.name),
                    "seconds": .number(Gauges.seconds(oldest.age)),
                ])
        case .transactionIdle:
            guard let idle = status.idle else { return }
            log.warning(
                "database_transaction_idle",
                [
                    "process": .number(idle.process),
                    "seconds": .number(Gauges.seconds(idle.age)),
                ])
        }
    }
}

/// What the server says, as metrics.
private struct Gauges: Sendable {
    let standbys: Gauge
    let synchronous: Gauge
    let missing: Gauge
    let lag: Gauge
    let retained: Gauge
    let archive: Gauge
    let settings: Gauge
    let snapshot: Gauge
    let idle: Gauge

    init(_ metrics: Metrics) {
        standbys = metrics.gauge(
            "frontdesk_database_standbys", help: "Standbys that follow the database.")
        synchronous = metrics.gauge(
            "frontdesk_database_synchronous_standbys",
            help: "Standbys that a commit may wait for.")
        missing = metrics.gauge(
            "frontdesk_database_standby_missing",
            help: "1 while commits wait for a standby and none is there.")
        lag = metrics.gauge(
            "frontdesk_database_standby_lag_bytes",
            help: "What the standby that is furthest behind lacks of the log.")
        retained = metrics.gauge(
            "frontdesk_database_slot_retained_bytes",
            help: "What is kept of the log for a replication slot that is not in use.")
        archive = metrics.gauge(
            "frontdesk_database_archive_failing",
            help: "1 while the log cannot be archived.")
        settings = metrics.gauge(
            "frontdesk_database_settings_unsafe",
            help: "1 while the database has a setting with which a server does not start.")
        snapshot = metrics.gauge(
            "frontdesk_database_oldest_snapshot_seconds",
            help: "Age of what keeps the rows of the past from being removed.")
        idle = metrics.gauge(
            "frontdesk_database_idle_transaction_seconds",
            help: "For how long a transaction has been open whose client asks for nothing.")
    }

    static func seconds(_ age: Duration) -> Int { Int(age / .seconds(1)) }

    func show(_ status: DatabaseStatus, oldest: Duration) {
        standbys.set(status.standbys)
        synchronous.set(status.synchronousStandbys)
        let isMissing = status.awaitsStandby && status.synchronousStandbys == 0
        missing.set(status.seesOthers && isMissing ? 1 : 0)
        lag.set(status.standbyLag)
        retained.set(status.retained)
        archive.set(status.isArchiveFailing ? 1 : 0)
        settings.set(status.settingsOff.isEmpty ? 0 : 1)
        snapshot.set(Self.seconds(oldest))
        idle.set(status.idle.map { Self.seconds($0.age) } ?? 0)
    }
}
