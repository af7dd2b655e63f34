/// Asks the file system how much room there is, on a thread that may block.
public final class DiskGauge: Sendable {
    private let directory: String
    private let threads: BlobThreads

    /// Looks at the disk that a directory lies on.
    public convenience init(directory: String) {
        self.init(directory: directory, on: BlobThreads(count: 1))
    }

    /// Looks on threads that are there for other calls too.
    init(directory: String, on threads: BlobThreads) {
        self.directory = directory
        self.threads = threads
    }

    /// How much room there is now.
    ///
    /// - Throws: `failed` when the file system does not say.
    public func read() async throws(StoreError) -> DiskSpace {
        let directory = directory
        return try await threads.run { () throws(StoreError) in
            try FileCalls.space(of: directory)
        }
    }
}
