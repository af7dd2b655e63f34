public import DeskModel
public import DeskStore

/// The store of large bytes that the routes use.
public struct BlobFiles: Sendable {
    /// Accepts bytes and gives them back.
    public let blobs: any BlobStore

    /// Uses a store.
    public init(blobs: any BlobStore) { self.blobs = blobs }

    /// A directory of files, each named by its digest in a folder of the digest's first two digits.
    ///
    /// `failed` is called when a flush failed: the process should end.
    public init(
        directory: String, time: TimeSource = .system,
        failed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        self.init(
            blobs: try DirectoryBlobStore(
                directory: directory, instant: time.instant, failed: failed))
    }
}
