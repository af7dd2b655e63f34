public import DeskModel
public import DeskStore

/// The store of large bytes, and where the kernel finds a file of it.
public struct BlobShelf: Sendable {
    /// Takes bytes and gives them back.
    public let blobs: any BlobStore
    /// The path of a stored file, so that it can be sent without passing through this process.
    public let path: @Sendable (AttachmentID) -> String

    /// Puts the two together.
    public init(blobs: any BlobStore, path: @escaping @Sendable (AttachmentID) -> String) {
        self.blobs = blobs
        self.path = path
    }

    /// A directory of files, each named by its digest in a folder of the digest's first two digits.
    ///
    /// `failed` is called when a flush failed: the process should end.
    public init(
        directory: String, time: TimeSource = .system,
        failed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        let blobs = try DirectoryBlobStore(
            directory: directory, instant: time.instant, failed: failed)
        self.init(blobs: blobs) { id in "\(directory)/\(id.text.prefix(2))/\(id.text)" }
    }
}
