/// Knows a file by its place on the disk, and asks on a thread that may block whether its path still leads there.
public final class FilePlace: Sendable {
    private let path: String
    private let identity: FileIdentity?
    private let threads = BlobThreads(count: 1)

    /// Remembers the file that is at a path now.
    ///
    /// - Throws: `failed` when the file system does not say.
    public init(of path: String) throws(StoreError) {
        self.path = path
        identity = try FileCalls.identity(of: path)
    }

    /// Whether the path still leads to that file: false where it was removed, moved or replaced.
    ///
    /// - Throws: `failed` when the file system does not say.
    public func isKept() async throws(StoreError) -> Bool {
        let path = path
        let found = try await threads.run { () throws(StoreError) in
            try FileCalls.identity(of: path)
        }
        return found != nil && found == identity
    }
}
