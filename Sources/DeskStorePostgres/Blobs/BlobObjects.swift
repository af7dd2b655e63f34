import DeskModel
import DeskStore

/// The bytes of blobs in an object store, by the rows that say which of its objects are blobs.
final class BlobObjects: Sendable {
    /// Bytes that are read at a time: each costs a round trip, and an open blob holds them in memory.
    private static let pieceBytes = 512 * 1_024

    private let store: any ObjectStore
    private let spool: String
    private let rows: PostgresThreads
    private let spooling = BlobThreads(count: 2)

    init(_ objects: PostgresBlobs.Objects, rows: PostgresThreads) {
        store = objects.store
        spool = objects.spool
        self.rows = rows
    }

    /// Begins an upload; nothing of it is stored before its end.
    func makeUpload(limit: Int64) -> BlobUpload {
        let upload = UploadSpool(limit: limit, in: spool, on: spooling)
        return BlobUpload(
            write: { piece throws(StoreError) in try await upload.write(piece) },
            finish: { [self] () throws(StoreError) in
                let (blob, file) = try upload.finish()
                try await keep(blob, file)
                return blob
            },
            cancel: { upload.cancel() })
    }

    /// Stores the bytes of a blob, unless they are there.
    ///
    /// What fails on the way leaves the upload's row, and with it the object is removed after a day: a write
    /// that was given up may still arrive.
    private func keep(_ blob: Blob, _ file: BlobFile) async throws(StoreError) {
        let upload = BlobRows.makeObject()
        let known = try await rows.run { connection throws(StoreError) in
            try BlobRows.beginObject(upload, of: blob.id, on: connection)
        }
        if let known {
            guard await isLost(known, of: blob) else { return }
            try await rows.run { connection throws(StoreError) in
                try BlobRows.noteObject(upload, on: connection)
            }
        }
        try await store.put(BlobRows.objectName(upload), file, digest: blob.id.digest)
        let isNeeded = try await rows.run { connection throws(StoreError) in
            try BlobRows.finishObject(upload, blob, insteadOf: known, on: connection)
        }
        if !isNeeded { _ = await remove(upload) }
    }

    /// Whether the bytes of a blob are in its object no more; not where the object store does not say.
    private func isLost(_ upload: Int64, of blob: Blob) async -> Bool {
        guard BlobRows.isObject(upload), blob.byteCount > 0 else { return false }
        do throws(StoreError) {
            return try await store.read(BlobRows.objectName(upload), at: 0, count: 1) == nil
        } catch {
            return error.code == .damaged
        }
    }

    /// A blob for reading.
    func file(of upload: Int64, _ byteCount: Int64) -> BlobFile {
        let name = BlobRows.objectName(upload)
        let pieces = BlobPieces(byteCount: byteCount, pieceBytes: Self.pieceBytes) {
            [store, rows] place, count throws(StoreError) in
            let offset = place * Int64(Self.pieceBytes)
            if let bytes = try await store.read(name, at: offset, count: count) { return bytes }
            throw try await rows.run { connection throws(StoreError) in
                try BlobRows.missing("object \(name)", of: upload, on: connection)
            }
        }
        return BlobFile(byteCount: byteCount) { offset, count throws(StoreError) in
            try await pieces.read(at: offset, count: count)
        }
    }

    /// Checks that one of these objects is there at least.
    func requireAny(of uploads: [Int64]) async throws(StoreError) {
        for upload in uploads
        where try await store.read(BlobRows.objectName(upload), at: 0, count: 1) != nil {
            return
        }
        throw StoreError(
            .refused,
            "the bucket has no attachment of this database; is --blobs the bucket and prefix of before?"
        )
    }

    /// Removes objects that nothing needs, until there is none or one cannot be removed.
    func removeUnneeded() async throws(StoreError) {
        while true {
            let uploads = try await rows.run { connection throws(StoreError) in
                try BlobRows.unneededObjects(on: connection)
            }
            guard !uploads.isEmpty else { return }
            for upload in uploads {
                guard await remove(upload) else { return }
            }
        }
    }

    /// Removes an object that nothing needs; one that cannot be removed now is one of the leftovers.
    func remove(_ upload: Int64) async -> Bool {
        do throws(StoreError) {
            try await store.remove(BlobRows.objectName(upload))
            try await rows.run { connection throws(StoreError) in
                connection.beforeCommit(BlobRows.commitsLater)
                try BlobRows.forgetObject(upload, on: connection)
            }
            return true
        } catch {
            return false
        }
    }
}
