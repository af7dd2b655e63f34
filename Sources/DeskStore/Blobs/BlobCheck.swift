import DeskCrypto
package import DeskModel

/// The check of an attachment: that it exists, and is what its name says.
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
        self.init(id, try BlobCopy.read(path) { (_: [UInt8]) throws(StoreError) in })
    }

    /// Reads the bytes of a blob store through, a piece at a time.
    ///
    /// - Throws: `unavailable`, `failed` when the store does not say.
    package init(_ id: AttachmentID, of blobs: any BlobStore) async throws(StoreError) {
        let found: (byteCount: Int64, digest: Digest)?
        do throws(StoreError) {
            found = try await BlobCopy.read(id, of: blobs)
        } catch {
            guard error.code == .damaged || error.code == .refused else { throw error }
            // A blob that was removed while it was read is refused.
            self.init(
                byteCount: 0, reason: error.code == .damaged ? Self.isAnother : Self.isMissing)
            return
        }
        self.init(id, found)
    }

    /// Reads the pieces of a blob of that size through, in order; nil for one that there is none of.
    package init(
        _ id: AttachmentID, byteCount: Int64?, piece: (Int64) throws(StoreError) -> [UInt8]
    ) throws(StoreError) {
        guard let byteCount else {
            self.init(id, nil)
            return
        }
        var digest = SHA256()
        var done: Int64 = 0
        var place: Int64 = 0
        while done < byteCount {
            let bytes = try piece(place)
            guard !bytes.isEmpty else { break }
            digest.update(bytes)
            done += Int64(bytes.count)
            place += 1
        }
        self.init(id, (done, BlobCopy.name(digest)))
    }

    private static let isMissing = "is missing"
    private static let isAnother = "is not what it was"

    private init(_ id: AttachmentID, _ found: (byteCount: Int64, digest: Digest)?) {
        self.init(
            byteCount: found?.byteCount ?? 0,
            reason: found == nil
                ? Self.isMissing : found?.digest == id.digest ? nil : Self.isAnother)
    }

    private init(byteCount: Int64, reason: String?) {
        self.byteCount = byteCount
        self.reason = reason
    }
}

/// How the bytes of an attachment are read through.
package enum BlobCopy {
    /// Bytes read at a time.
    private static let pieceBytes = 1_048_576

    /// Reads a blob through and says what it is; nil when there is none.
    fileprivate static func read(
        _ id: AttachmentID, of blobs: any BlobStore
    ) async throws(StoreError) -> (byteCount: Int64, digest: Digest)? {
        guard let file = try await blobs.openBlob(id) else { return nil }
        var digest = SHA256()
        var done: Int64 = 0
        while done < file.byteCount {
            let piece = try await file.read(at: done, atMost: pieceBytes)
            guard !piece.isEmpty else { break }
            digest.update(piece)
            done += Int64(piece.count)
        }
        return (done, name(digest))
    }

    fileprivate static func name(_ digest: consuming SHA256) -> Digest {
        guard let name = Digest(bytes: digest.finish()) else {
            preconditionFailure("SHA-256 gave another count of bytes")
        }
        return name
    }

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
        return (done, name(digest))
    }
}
