import DeskBytes
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
    /// Age from which on what came in belongs to no upload under way.
    package static let leftoverAge = Duration.seconds(86_400)
    /// Measures the disk of the directory.
    public let disk: DiskGauge?

    /// Opens the store, making its directories.
    ///
    /// Uploads that an earlier process did not finish are removed when they are a day old: a younger one
    /// may be another process's.
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
            let path = incoming + "/" + name
            guard try FileCalls.age(of: path) ?? .zero >= Self.leftoverAge else { continue }
            _ = try FileCalls.remove(path)
        }
        let threads = BlobThreads(count: threads)
        self.threads = threads
        disk = DiskGauge(directory: directory, on: threads)
        self.failed = failed
    }

    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    public func makeUpload(limit: Int64) async throws(StoreError) -> BlobUpload {
        let upload = try await threads.run { [self] () throws(StoreError) -> DirectoryUpload in
            // Another process may use the directory too: a name in use is left to it.
            while true {
                let number = next.withLock { number in
                    number += 1
                    return number
                }
                let path = "\(incoming)/\(number)"
                guard let descriptor = try FileCalls.createIfNew(path) else { continue }
                return DirectoryUpload(
                    descriptor: descriptor, path: path, directory: directory, limit: limit,
                    threads: threads, fresh: fresh, failed: failed)
            }
        }
        return BlobUpload(
            write: { piece throws(StoreError) in try await upload.write(piece) },
            finish: { () throws(StoreError) in try await upload.finish() },
            cancel: { upload.cancel() })
    }

    /// Opens a blob for reading; nil when there is none of that name.
    public func openBlob(_ id: AttachmentID) async throws(StoreError) -> BlobFile? {
        let path = Self.path(of: id, in: directory)
        let threads = threads
        return try await threads.run { () throws(StoreError) -> BlobFile? in
            guard let descriptor = try FileCalls.open(path) else { return nil }
            let file = OpenFile(descriptor)
            return BlobFile(byteCount: try FileCalls.byteCount(of: descriptor), file: file) {
                (offset, count) throws(StoreError) in
                try await threads.run { () throws(StoreError) in
                    try FileCalls.read(file.descriptor, at: offset, atMost: count)
                }
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
        "\(folder(of: id, in: directory))/\(id.text)"
    }

    /// The directory that a blob lies in.
    package static func folder(of id: AttachmentID, in directory: String) -> String {
        "\(directory)/\(id.text.prefix(2))"
    }
}
