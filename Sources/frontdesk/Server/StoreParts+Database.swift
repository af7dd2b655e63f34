import DeskAPI
import DeskLog
import DeskModel
import DeskNet
import DeskS3
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
        if let blobs = configuration.blobs {
            let report = BlobsReport(log: log, metrics: metrics)
            // The operator names it.
            let bucket = try await blobs.open(client: CurlClient(reach: .anywhere)) {
                report.note($0)
            }
            options.objects = PostgresBlobs.Objects(in: bucket, spool: configuration.data)
        }
        let leases = LeaseReport(log: log, metrics: metrics)
        options.leases = { leases.note($0) }
        options.metrics = metrics
        let node: PostgresNode
        do throws(StoreError) {
            node = try await PostgresNode(
                options, newEpoch: .random(), damaged: { alarm.raise($0) },
                ended: { end in
                    switch end {
                    case .logReplaced:
                        log.error("log_replaced")
                        Crash.now(code: 71)
                    case .schemaTooNew(let why):
                        log.error("schema_too_new", ["reason": .text(why.detail)])
                        Crash.now(code: 72)
                    }
                })
        } catch {
            throw DatabaseFailure.failure(error, at: address)
        }
        metrics.reading(
            "frontdesk_database_reachable",
            help: "1 while the database answers, 0 while it does not."
        ) { node.isReachable ? 1 : 0 }
        let watch = DatabaseWatch(of: node.store, log: log, metrics: metrics)
        return StoreParts(
            store: node.store, isShared: true,
            search: node.makeSearch(metrics: metrics, readable: ReadableText.text(of:)),
            blobs: node.blobs,
            watch: node.store.makeWatch(with: node.blobs), signals: node.signals,
            counters: node.counters,
            isReachable: { node.isReachable },
            useKeys: { place throws(StoreError) in try await node.store.useKeys(at: place) },
            run: {
                await withDiscardingTaskGroup { group in
                    group.addTask { await node.run() }
                    group.addTask { await watch.run() }
                }
            },
            close: { await node.close() })
    }
}

/// Whether the server that has the attachments does what it is asked for.
private struct BlobsReport: Sendable {
    let log: Log
    let reachable: Gauge

    init(log: Log, metrics: Metrics) {
        self.log = log
        reachable = metrics.gauge(
            "frontdesk_blobs_reachable",
            help: "1 while the S3 server does what it is asked for, 0 while it does not.")
        reachable.set(1)
    }

    func note(_ fault: S3Fault?) {
        reachable.set(fault == nil ? 1 : 0)
        guard let fault else { return log.info("blobs_reachable") }
        log.error(
            "blobs_unreachable",
            ["reason": .text(fault.kind.rawValue), "detail": .text(fault.detail)])
    }
}

/// What this process does under leases, which one of the servers on a database does for all.
private struct LeaseReport: Sendable {
    let log: Log
    let metrics: Metrics
    let takenOver: Counter

    init(log: Log, metrics: Metrics) {
        self.log = log
        self.metrics = metrics
        takenOver = metrics.counter(
            "frontdesk_database_lease_takeovers_total",
            help: "Leases that were acquired from a holder that had not released them.")
        // From the start on, so that an alarm sees where no server holds it.
        _ = held(kind: "housekeeping")
    }

    func note(_ occurrence: LeaseOccurrence) {
        switch occurrence {
        case .takenOver: takenOver.add(1)
        case .begun(let lease):
            held(lease).add(1)
            log.info(
                "lease_acquired", ["name": .text(lease.name), "term": .number(Int(lease.term))])
        case .ended(let lease):
            held(lease).add(-1)
            log.info("lease_ended", ["name": .text(lease.name), "term": .number(Int(lease.term))])
        }
    }

    /// The number of leases of a kind: the first word of the name, which ids follow.
    private func held(_ lease: Lease) -> Gauge {
        held(kind: String(lease.name.prefix { $0 != " " }))
    }

    private func held(kind: String) -> Gauge {
        metrics.gauge(
            "frontdesk_database_leases_held",
            help: "Leases under which this server works for all, by kind.",
            labels: ["lease": kind])
    }
}
