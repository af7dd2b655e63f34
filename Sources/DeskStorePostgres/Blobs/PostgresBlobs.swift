public import DeskModel
public import DeskStore

/// Blobs of a PostgreSQL database, for all processes that share it.
///
/// Their rows are beside the store's tables. The bytes lie there, too, in pieces of 256 KB, or in an object store:
/// where they came in to. A piece is stored as it comes in, without waiting until it is durable; the end of the
/// upload waits for all of them. A process holds a few pieces of each transfer in memory.
public final class PostgresBlobs: BlobStore {
    /// Where the bytes of new blobs lie instead of in the database.
    public struct Objects: Sendable {
        /// Has the bytes.
        public var store: any ObjectStore
        /// The directory in which uploads are kept until they are whole.
        public var spool: String

        /// Puts the two together.
        public init(in store: any ObjectStore, spool: String) {
            self.store = store
            self.spool = spool
        }
    }

    private let threads: PostgresThreads
    private let objects: BlobObjects?

    /// Starts the threads; libpq is loaded and connections are made by the first call.
    ///
    /// The tables are those that `PostgresStore` or `PostgresRegistries.makeTables` makes.
    public init(
        _ options: PostgresRegistries.Options, objects: Objects? = nil, threads: Int = 2
    ) {
        let connections = PostgresThreads(options, for: .beside, threads: threads)
        self.threads = connections
        self.objects = objects.map { BlobObjects($0, rows: connections) }
    }

    /// Checks that the bytes of blobs are where this looks for them.
    ///
    /// - Throws: `refused` with a sentence when they are elsewhere.
    public func requireObjects() async throws(StoreError) {
        let some = try await threads.run { connection throws(StoreError) in
            try BlobRows.someObjects(on: connection)
        }
        guard !some.isEmpty else { return }
        guard let objects else {
            throw StoreError(
                .refused, "attachments of this database lie in an S3 bucket; name it with --blobs")
        }
        try await objects.requireAny(of: some)
    }

    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    public func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
        if let objects { return objects.makeUpload(limit: limit) }
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
        guard BlobRows.isObject(upload) else { return file(of: upload, byteCount) }
        guard let objects else {
            throw StoreError(.unavailable, "the blob is an object, and --blobs names no bucket")
        }
        return objects.file(of: upload, byteCount)
    }

    private func file(of upload: Int64, _ byteCount: Int64) -> BlobFile {
        let pieces = BlobPieces(byteCount: byteCount, pieceBytes: BlobRows.pieceBytes) {
            [threads] place, _ throws(StoreError) in
            try await threads.run { connection throws(StoreError) in
                try BlobRows.piece(place, of: upload, on: connection)
            }
        }
        return BlobFile(byteCount: byteCount) { offset, count throws(StoreError) in
            try await pieces.read(at: offset, count: count)
        }
    }

    /// Removes a blob; returns whether there was one.
    public func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool {
        try await remove(id, olderThan: nil)
    }

    /// Removes a blob that no row names; false when its bytes came in lately, by the database's clock and
    /// whichever process they came in on.
    public func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool {
        if try await remove(id, olderThan: FreshBlobs.grace) { return true }
        return try await threads.run { connection throws(StoreError) in
            try BlobRows.find(id, on: connection) == nil
        }
    }

    /// The row decides: an object goes after it, or with the leftovers where that fails.
    private func remove(
        _ id: AttachmentID, olderThan age: Duration?
    ) async throws(StoreError) -> Bool {
        let upload = try await threads.run { connection throws(StoreError) in
            try BlobRows.remove(id, olderThan: age, on: connection)
        }
        guard let upload else { return false }
        if BlobRows.isObject(upload) { _ = await objects?.remove(upload) }
        return true
    }

    /// Removes uploads of a day ago, which their processes did not end, and objects that nothing needs.
    public func removeLeftovers() async throws(StoreError) {
        var isOver = false
        while !isOver {
            // Each in a transaction of its own.
            isOver = try await threads.run { connection throws(StoreError) in
                connection.beforeCommit(BlobRows.commitsLater)
                return try !BlobRows.dropLeftover(on: connection)
            }
        }
        try await objects?.removeUnneeded()
    }

    /// Finishes the accepted work, then refuses; returns when everything is closed.
    public func close() async { await threads.close() }
}
