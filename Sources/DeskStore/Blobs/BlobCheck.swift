import DeskCrypto
package import DeskModel

/// The check of an attachment's file: that it exists, and is what its name says.
package struct BlobCheck: Sendable {
    /// How many bytes were read.
    package let byteCount: Int64
    /// What is wrong; nil when nothing is.
    package let reason: String?

    /// Reads the file through, a piece at a time.
    ///
    /// - Throws: `failed` when the file system does not say.
    package init(_ id: AttachmentID, in directory: String) throws(StoreError) {
        let path = DirectoryBlobStore.path(of: id, in: directory)
        let copied = try BlobCopy.read(path) { (_: [UInt8]) throws(StoreError) in }
        byteCount = copied?.byteCount ?? 0
        reason =
            copied == nil ? "is missing" : copied?.digest == id.digest ? nil : "is not what it was"
    }
}

/// How the bytes of an attachment are read through.
package enum BlobCopy {
    /// Bytes read at a time.
    private static let pieceBytes = 1_048_576

    /// Hands a file's bytes over piece by piece and returns what they are; nil when there is none.
    package static func read(
        _ path: String, to take: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) -> (byteCount: Int64, digest: Digest)? {
        guard let descriptor = try FileCalls.open(path) else { return nil }
        defer { FileCalls.close(descriptor) }
        var digest = SHA256()
        var done: Int64 = 0
        while true {
            let piece = try FileCalls.read(descriptor, at: done, atMost: pieceBytes)
            guard !piece.isEmpty else { break }
            digest.update(piece)
            try take(piece)
            done += Int64(piece.count)
        }
        guard let name = Digest(bytes: digest.finish()) else {
            preconditionFailure("SHA-256 gave another count of bytes")
        }
        return (done, name)
    }
}
