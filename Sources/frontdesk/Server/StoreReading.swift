import DeskAPI
import DeskLog
import DeskModel
import DeskStore

/// Reads the store through behind all other work: the newest rows at start, everything once a day.
///
/// Of several processes the one that holds the lease reads; another begins when it has ended, and
/// begins from the start.
struct StoreReading: Sendable {
    /// Newest places of the log that are read at the start.
    static let newest = 10_000
    /// Time from the start until it begins.
    ///
    /// This reading leaves the processor to requests. A request that reads a row meanwhile verifies
    /// it all the same.
    static let settling = Duration.seconds(1)
    /// Time between two readings of everything.
    static let interval = Duration.seconds(24 * 3_600)
    /// Pause between two steps, so that reading a large store lasts hours and uses little of the
    /// processor.
    static let rest = Duration.milliseconds(100)

    /// Pause before reading on when the store did not answer.
    static let unavailable = Duration.seconds(5)

    /// The lease of the process that reads.
    static let lease = "verify"

    let leases: any LeaseRegistry
    let watch: any StoreWatch
    let alarm: DamageAlarm
    let time: TimeSource
    let log: Log
    private let rows: Gauge
    private let readAt: Gauge

    init(
        leases: any LeaseRegistry, watch: any StoreWatch, alarm: DamageAlarm, time: TimeSource,
        log: Log, metrics: Metrics
    ) {
        self.leases = leases
        self.watch = watch
        self.alarm = alarm
        self.time = time
        self.log = log
        rows = metrics.gauge(
            "frontdesk_store_reading_rows",
            help: "Rows and files read so far by the reading of the whole store that runs.")
        readAt = metrics.gauge(
            "frontdesk_store_read_timestamp_seconds",
            help: "When the whole store was last read through; 0 before the first time.")
    }

    /// Reads whenever this process holds the lease, until the task is cancelled.
    func run() async {
        // Safe: it fails when the server ends, and then nothing is read.
        try? await time.sleep(Self.settling)
        await LeaseHolder(of: leases, named: Self.lease).run { _ in await readDaily() }
        await watch.close()
    }

    private func readDaily() async {
        watch.begin(newest: Self.newest)
        await read(resting: nil)
        while !Task.isCancelled {
            let begin = time.instant()
            watch.begin()
            if let counts = await read(resting: Self.rest) {
                readAt.set(Int(time.now().milliseconds / 1_000))
                log.info(
                    "store_read",
                    [
                        "messages": .number(counts.messages), "events": .number(counts.events),
                        "conversations": .number(counts.conversations),
                        "attachments": .number(counts.attachments),
                        "damaged": .number(counts.damaged),
                    ])
            }
            let left = Self.interval - begin.duration(to: time.instant())
            do { try await time.sleep(max(left, .seconds(60))) } catch { return }
        }
    }

    /// Reads to the end; nil when it did not get there.
    @discardableResult
    private func read(resting rest: Duration?) async -> InspectionCounts? {
        while !Task.isCancelled {
            do throws(StoreError) {
                let step = try await watch.step()
                for damage in step.found { alarm.raise(damage) }
                rows.set(step.counts.all)
                if step.isDone { return step.counts }
            } catch {
                guard error.code == .unavailable || error.code == .busy else {
                    alarm.raise(
                        Damage("file", name: watch.name, reason: "cannot be read: \(error)"))
                    return nil
                }
                do { try await time.sleep(Self.unavailable) } catch { return nil }
                continue
            }
            guard let rest else { continue }
            do { try await time.sleep(rest) } catch { return nil }
        }
        return nil
    }
}
