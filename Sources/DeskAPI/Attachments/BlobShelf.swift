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
    public init(directory: String) throws(StoreError) {
        self.init(blobs: try DirectoryBlobStore(directory: directory)) { id in
            "\(directory)/\(id.text.prefix(2))/\(id.text)"
        }
    }
}
