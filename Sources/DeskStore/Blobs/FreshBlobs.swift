import DeskModel
import Synchronization

/// The blobs whose bytes came in lately: the row that names one of them may still be on its way.
package final class FreshBlobs: Sendable {
    /// Far longer than the time between a request's stored file and the row that names it.
    package static let grace = Duration.seconds(600)
    /// Blobs remembered before the expired ones are removed.
    private static let sweepsAt = 1_024

    private let since = Mutex<[AttachmentID: ContinuousClock.Instant]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// Notes that a blob's bytes came in; before they are moved to where they stay.
    func note(_ id: AttachmentID) {
        let now = now()
        since.withLock { since in
            if since.count >= Self.sweepsAt {
                since = since.filter { $0.value.duration(to: now) < Self.grace }
            }
            since[id] = now
        }
    }

    /// Does something to a blob unless its bytes came in lately, and returns whether it was done.
    ///
    /// Thread: no blob is noted meanwhile, so that a file that arrives is in place afterwards.
    func unlessFresh(
        _ id: AttachmentID, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let now = now()
        let result: Result<Bool, StoreError> = since.withLock { since in
            if let time = since[id], time.duration(to: now) < Self.grace { return .success(false) }
            do throws(StoreError) {
                try body()
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
