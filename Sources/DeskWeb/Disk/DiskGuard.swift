import DeskHTTP
public import DeskLog
public import DeskModel
public import DeskStore
import Synchronization

/// Stops writing before the disk is full, and resumes by itself when there is room again.
///
/// What fails with a full disk stops writing at once; the next look at the disk decides how long.
public final class DiskGuard: Sendable {
    /// Time between two looks while there is room.
    package static let interval = Duration.seconds(1)
    /// Time between two looks near the hard mark and below it.
    static let shortInterval = Duration.milliseconds(100)

    private let marks: DiskMarks
    private let level = Atomic(DiskLevel.roomy.rawValue)
    private let lines = Mutex(DiskLines())
    private let log: Log
    private let free: Gauge
    private let shown: Gauge
    private let refused: Counter

    /// Starts without a measurement, which counts as room.
    public init(limits: WebLimits, log: Log = .silent, metrics: Metrics = Metrics()) {
        marks = DiskMarks(limits)
        self.log = log
        free = metrics.gauge(
            "frontdesk_disk_free_bytes", help: "Free bytes of the data directory's disk.")
        shown = metrics.gauge(
            "frontdesk_disk_level",
            help: "0: room; 1: below the soft mark; 2: below the hard mark, nothing is stored.")
        refused = metrics.counter(
            "frontdesk_storage_full_total", help: "Writes refused because the disk is full.")
    }

    /// Whether nothing more is to be stored.
    public var isFull: Bool { level.load(ordering: .relaxed) == DiskLevel.full.rawValue }

    /// Refuses a request that would store something.
    func admit(_ method: Method, goesOnWhenFull: Bool) throws(Problem) {
        switch method {
        case .get, .head, .options, .delete: return
        case .post, .put, .patch, .trace, .connect, .other: break
        }
        guard !goesOnWhenFull else { return }
        noteRefused()
        throw .storageFull
    }

    /// Counts a write that was refused.
    public func noteRefused() { refused.add() }

    /// Records that a write failed for want of room.
    public func noteFull() {
        set(.full)
        if lines.withLock({ $0.noteFailure() }) { report(.full) }
    }

    /// Records how much room there is; returns how long to wait before the next look.
    @discardableResult
    public func note(_ space: DiskSpace) -> Duration {
        free.set(Int(space.freeBytes))
        set(marks.level(of: space))
        return marks.isNear(space) ? Self.shortInterval : Self.interval
    }

    /// Looks at the disk until it is cancelled.
    ///
    /// Limit: one look a second, ten near the hard mark.
    public func run(
        _ time: TimeSource, look: @Sendable () async throws(StoreError) -> DiskSpace
    ) async {
        while !Task.isCancelled {
            var wait = Self.interval
            do throws(StoreError) {
                let space = try await look()
                wait = note(space)
                noteLook(marks.level(of: space), at: time.instant(), space)
            } catch {
                // Without an answer nothing is refused beforehand; a write reports a full disk
                // itself.
                log.warning("disk_unknown", ["code": .text(error.code.rawValue)])
                set(.roomy)
            }
            // Sleeping fails when it is cancelled, and then the level is not needed any more.
            do { try await time.sleep(wait) } catch { return }
        }
    }

    /// Has writes be tried again every second until it is cancelled, where the disk cannot be measured: one that
    /// fails says that it is still full.
    public func runUnmeasured(_ time: TimeSource) async {
        while !Task.isCancelled {
            do { try await time.sleep(Self.interval) } catch { return }
            set(.roomy)
            noteLook(.roomy, at: time.instant())
        }
    }

    private func set(_ now: DiskLevel) {
        level.store(now.rawValue, ordering: .relaxed)
        shown.set(now.rawValue)
    }

    private func noteLook(
        _ level: DiskLevel, at now: ContinuousClock.Instant, _ space: DiskSpace? = nil
    ) {
        if lines.withLock({ $0.note(level, at: now) }) { report(level, space) }
    }

    /// Writes a line about the level; without space where a write failed or nothing can be measured.
    private func report(_ level: DiskLevel, _ space: DiskSpace? = nil) {
        let measured = space.map { log.with("free_bytes", .number(Int($0.freeBytes))) }
        let diskLog = measured ?? log
        switch level {
        case .roomy: diskLog.info("disk_recovered")
        case .low: diskLog.warning("disk_low")
        case .full: diskLog.error("disk_full")
        }
    }
}

extension Problem {
    package static let storageFull = Problem(StoreError(.full))
}
