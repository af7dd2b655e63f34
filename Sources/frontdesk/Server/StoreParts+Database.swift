import DeskAPI
import DeskLog
import DeskModel
import DeskStore
import DeskStorePostgres

extension StoreParts {
    /// Opens a PostgreSQL database, which any number of servers may use at once.
    ///
    /// The data directory has the file of keys, unless another one is named, and the socket for commands.
    static func inDatabase(
        _ address: DatabaseAddress, _ configuration: ServeConfiguration, log: Log,
        _ metrics: Metrics, alarm: DamageAlarm
    ) async throws -> StoreParts {
        var options = PostgresNode.Options(
            address: address.text,
            keys: configuration.keys ?? .file(EncryptionKeyFile(in: configuration.data)))
        let report = NoticesReport(log: log, metrics: metrics)
        options.report = { report.note($0) }
        let node: PostgresNode
        do throws(StoreError) {
            node = try await PostgresNode(
                options, newEpoch: .random(), damaged: { alarm.raise($0) },
                ended: {
                    log.error("log_replaced")
                    Crash.now(code: 71)
                })
        } catch {
            throw DatabaseFailure.failure(error, at: address)
        }
        metrics.reading(
            "frontdesk_database_reachable",
            help: "1 while the database answers, 0 while it does not."
        ) { node.isReachable ? 1 : 0 }
        return StoreParts(
            store: node.store, isShared: true,
            search: node.makeSearch(metrics: metrics, readable: ReadableText.text(of:)),
            blobs: node.blobs,
            watch: nil, signals: node.signals, counters: node.counters,
            isReachable: { node.isReachable }, run: { await node.run() },
            close: { await node.close() })
    }
}

/// What happens to the connection over which servers on one database hear each other.
private struct NoticesReport: Sendable {
    let log: Log
    let connected: Gauge
    let dropped: Counter

    init(log: Log, metrics: Metrics) {
        self.log = log
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
            log.info("database_notices_connected")
        case .disconnected(let error):
            connected.set(0)
            log.warning("database_notices_lost", ["reason": .text(error.detail)])
        case .dropped(let topic):
            dropped.add(1)
            log.error("database_notice_dropped", ["topic": .text(topic)])
        }
    }
}
