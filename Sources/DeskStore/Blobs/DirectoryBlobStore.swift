public import DeskModel
import Synchronization

/// Blobs as files: `<directory>/<first two digits>/<digest>`, and `incoming/` for what comes in.
public final class DirectoryBlobStore: BlobStore {
    private let directory: String
    private let incoming: String
    private let threads: BlobThreads
    private let failed: @Sendable (StoreError) -> Void
    private let fresh: FreshBlobs
    private let next = Mutex<UInt64>(0)

    /// Opens the store, making its directories; what an earlier process left half is removed.
    ///
    /// `instant` is the monotonic clock; `failed` is called when a flush failed: the process should end.
    public init(
        directory: String, threads: Int = 2,
        instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        failed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        self.directory = directory
        fresh = FreshBlobs(now: instant)
        incoming = directory + "/incoming"
        try FileCalls.makeDirectory(directory)
        try FileCalls.makeDirectory(incoming)
        for name in try FileCalls.names(in: incoming) {
            _ = try FileCalls.remove(incoming + "/" + name)
        }
        self.threads = BlobThreads(count: threads)
        self.failed = failed
    }

    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    public func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
        let number = next.withLock { number in
            number += 1
            return number
        }
        // Only this process writes here: the data directory is locked, so a counter is a name.
        let path = "\(incoming)/\(number)"
        let directory = directory
        let threads = threads
        let failed = failed
        let fresh = fresh
        return try await threads.run { () throws(StoreError) in
            BlobUpload(
                descriptor: try FileCalls.create(path), path: path, directory: directory,
                limit: limit, threads: threads, fresh: fresh, failed: failed)
        }
    }

    /// Opens a blob for reading; nil when there is none of that name.
    public func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile? {
        let path = Self.path(of: id, in: directory)
        let threads = threads
        return try await threads.run { () throws(StoreError) -> BlobFile? in
            guard let descriptor = try FileCalls.open(path) else { return nil }
            do throws(StoreError) {
                return BlobFile(
                    descriptor: descriptor, byteCount: try FileCalls.byteCount(of: descriptor),
                    threads: threads)
            } catch {
                FileCalls.close(descriptor)
                throw error
            }
        }
    }

    /// Removes a blob; returns whether there was one.
    public func removeBlob(_ id: AttachmentID) async throws(StoreError) -> Bool {
        let path = Self.path(of: id, in: directory)
        return try await threads.run { () throws(StoreError) in try FileCalls.remove(path) }
    }

    /// Removes a blob that no row names; false when its bytes came in lately.
    public func removeUnnamed(_ id: AttachmentID) async throws(StoreError) -> Bool {
        let path = Self.path(of: id, in: directory)
        let fresh = fresh
        return try await threads.run { () throws(StoreError) in
            try fresh.unlessFresh(id) { () throws(StoreError) in _ = try FileCalls.remove(path) }
        }
    }

    /// Where a blob lies.
    package static func path(of id: AttachmentID, in directory: String) -> String {
        "\(shelf(of: id, in: directory))/\(id.text)"
    }

    /// The directory that a blob lies in.
    package static func shelf(of id: AttachmentID, in directory: String) -> String {
        "\(directory)/\(id.text.prefix(2))"
    }
}
