import DeskAPI
import DeskLog
import DeskModel
import DeskStore
import Glibc

extension StoreParts {
    /// How long a start waits for another process to leave the data.
    private static let patience = Duration.seconds(2)

    /// Opens the store of a data directory, which is made when it is new, for this process alone.
    static func inFolder(
        _ configuration: ServeConfiguration, log: Log, _ metrics: Metrics, alarm: DamageAlarm
    ) throws -> StoreParts {
        let folder = configuration.data
        try DataFolder.requireHome(folder)
        try DataFolder.requireFilled(folder)
        try DataFolder.requireDatabase(besideBlobs: folder)
        let failed = giveUp(log)
        let store: DataFolder.Opened
        do throws(StoreError) {
            store = try waiting { () throws(StoreError) in
                try DataFolder.open(
                    folder, keys: configuration.keys, metrics: metrics, failed: failed,
                    damaged: { alarm.raise($0) })
            }
        } catch {
            throw StoreFailure.opening(error, folder)
        }
        let blobs = try DirectoryBlobStore(directory: folder + "/blobs", failed: failed)
        let watch = try store.makeWatch(with: blobs)
        let file = try StoreFileWatch("\(folder)/\(watch.name)", log: log)
        return StoreParts(
            store: store, isShared: false,
            search: try DataFolder.openSearch(of: store, folder, metrics),
            blobs: blobs,
            watch: watch, signals: LocalSignalBus(),
            counters: LocalCounters(),
            isReachable: { file.isThere }, useKeys: { _ in }, run: { await file.run() },
            close: { await store.close() })
    }

    /// Opens again while another process has the data, for a short time: one that was killed needs a moment to be gone.
    private static func waiting(
        _ open: () throws(StoreError) -> DataFolder.Opened
    ) throws(StoreError) -> DataFolder.Opened {
        let end = ContinuousClock.now + patience
        while true {
            do throws(StoreError) {
                return try open()
            } catch {
                guard error.code == .busy, ContinuousClock.now < end else { throw error }
                usleep(20_000)
            }
        }
    }

    /// What follows a failed write or flush: nothing on disk is certain then but what was
    /// acknowledged, and the next start recovers that.
    static func giveUp(_ log: Log) -> @Sendable (StoreError) -> Void {
        { error in
            log.error("store_failed", ["code": .text(error.code.rawValue)])
            Crash.now(code: 70)
        }
    }
}
