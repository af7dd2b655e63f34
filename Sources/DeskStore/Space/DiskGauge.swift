/// Asks the file system how much room there is, on a thread of its own.
public final class DiskGauge: Sendable {
    private let directory: String
    private let threads = BlobThreads(count: 1)

    /// Looks at the disk that a directory lies on.
    public init(directory: String) { self.directory = directory }

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
