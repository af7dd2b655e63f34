public import DeskModel

/// Bytes that were stored once under the digest of what they are.
public struct Blob: Hashable, Sendable {
    /// The name made of the bytes.
    public let id: AttachmentID
    /// How many they are.
    public let byteCount: Int64

    /// Puts the two together.
    public init(id: AttachmentID, byteCount: Int64) {
        self.id = id
        self.byteCount = byteCount
    }
}

/// Large bytes beside the database, named by their SHA-256 and stored once.
public protocol BlobStore: Sendable {
    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload

    /// Opens a blob for reading; nil when there is none of that name.
    func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile?

    /// Removes a blob; returns whether there was one.
    func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool

    /// Removes a blob that no row names, if it is there.
    ///
    /// False when its bytes came in within the last ten minutes: a row that names them may be on its
    /// way, so nothing was removed.
    func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool

    /// Removes what uploads left over that ended without their process's doing; the housekeeping calls it.
    func removeLeftovers() async throws(StoreError)

    /// Measures the disk that the store writes to; nil when that is none of this machine's.
    var disk: DiskGauge? { get }
}

extension BlobStore {
    /// Nothing is left over while the store is open.
    public func removeLeftovers() async throws(StoreError) {}

    /// There is no disk to watch.
    public var disk: DiskGauge? { nil }

    /// Stores bytes that are all here.
    public func store(_ bytes: [UInt8]) async throws(StoreError) -> Blob {
        let upload = try await makeUpload(limit: Int64(bytes.count))
        do {
            try await upload.write(bytes)
            return try await upload.finish()
        } catch {
            await upload.cancel()
            throw error
        }
    }
}
