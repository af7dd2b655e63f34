public import DeskModel
public import DeskStore
import Synchronization

/// Blobs in a PostgreSQL database, beside the store's tables, for all processes that share it.
///
/// A blob lies in pieces of 256 KB. A piece is stored as it comes in, without waiting until it is durable;
/// the end of the upload waits for all of them. A process holds a few pieces of each transfer in memory.
public final class PostgresBlobs: BlobStore {
    /// How often uploads are looked for that their processes did not end.
    private static let sweepInterval = Duration.seconds(3_600)

    private let threads: PostgresThreads
    private let swept = Mutex<ContinuousClock.Instant?>(nil)

    /// Starts the threads; libpq is loaded and connections are made by the first call.
    ///
    /// The tables are those that `PostgresStore` or `PostgresRegistries.makeTables` makes. Uploads that
    /// another process did not end are removed when they are a day old.
    public init(_ options: PostgresRegistries.Options, threads: Int = 2) {
        self.threads = PostgresThreads(options, for: .beside, threads: threads)
    }

    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    public func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
        if isSweepDue() { Self.dropLeftovers(on: threads) }
        let upload = PostgresUpload(limit: limit, threads: threads)
        return BlobUpload(
            write: { piece throws(StoreError) in try await upload.write(piece) },
            finish: { () throws(StoreError) in try await upload.finish() },
            cancel: { upload.cancel() })
    }

    /// Opens a blob for reading; nil when there is none of that name.
    ///
    /// A blob that is removed while it is read throws `refused` from then on.
    public func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile? {
        let found = try await threads.run { connection throws(StoreError) in
            try BlobRows.find(id, on: connection)
        }
        guard let (upload, byteCount) = found else { return nil }
        let pieces = BlobPieces(of: upload, byteCount: byteCount, threads: threads)
        return BlobFile(byteCount: byteCount) { offset, count throws(StoreError) in
            try await pieces.read(at: offset, count: count)
        }
    }

    /// Removes a blob; returns whether there was one.
    public func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool {
        try await threads.run { connection throws(StoreError) in
            try BlobRows.remove(id, olderThan: nil, on: connection)
        }
    }

    /// Removes a blob that no row names; false when its bytes came in lately, by the database's clock and
    /// whichever process they came in on.
    public func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool {
        try await threads.run { connection throws(StoreError) in
            if try BlobRows.remove(id, olderThan: FreshBlobs.grace, on: connection) { return true }
            return try BlobRows.find(id, on: connection) == nil
        }
    }

    /// Finishes the accepted work, then refuses; returns when everything is closed.
    public func close() async { await threads.close() }

    private func isSweepDue() -> Bool {
        let now = ContinuousClock.now
        return swept.withLock { swept in
            if let last = swept, last.duration(to: now) < Self.sweepInterval { return false }
            swept = now
            return true
        }
    }

    /// Drops what was left over, each upload in a transaction of its own.
    private static func dropLeftovers(on threads: PostgresThreads) {
        threads.runLater { connection throws(StoreError) in
            connection.beforeCommit(BlobRows.commitsLater)
            if try BlobRows.dropLeftover(on: connection) { dropLeftovers(on: threads) }
        }
    }
}
