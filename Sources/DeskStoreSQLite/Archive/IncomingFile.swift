import DeskModel
import DeskStore

/// An attachment of an archive, whose bytes come in pieces.
final class IncomingFile {
    private let blob: Blob
    private let blobs: String
    private let descriptor: Int32
    private var done: Int64 = 0

    init(_ blob: Blob, in blobs: String) throws(StoreError) {
        self.blob = blob
        self.blobs = blobs
        try FileCalls.makeDirectory(DirectoryBlobStore.folder(of: blob.id, in: blobs))
        let path = DirectoryBlobStore.path(of: blob.id, in: blobs)
        if let there = try FileCalls.open(path) {
            FileCalls.close(there)
            throw StoreError(.refused, "the attachment is there twice")
        }
        descriptor = try FileCalls.create(path)
    }

    deinit { FileCalls.close(descriptor) }

    func take(_ bytes: [UInt8]) throws(StoreError) {
        done += Int64(bytes.count)
        guard done <= blob.byteCount else {
            throw StoreError(.refused, "the attachment has more than \(blob.byteCount) bytes")
        }
        try FileCalls.write(bytes, to: descriptor)
    }

    func finish() throws(StoreError) {
        guard done == blob.byteCount else {
            throw StoreError(
                .refused, "the attachment before it has \(done) of \(blob.byteCount) bytes")
        }
        try FileCalls.flush(descriptor, failed: { _ in })
        if let reason = try BlobCheck(blob.id, in: blobs).reason {
            throw StoreError(.refused, "the attachment before it \(reason)")
        }
    }
}
