import DeskCrypto
public import DeskModel
import Synchronization

/// Blobs as files: `<directory>/<first two digits>/<digest>`, and `incoming/` for what comes in.
public final class DirectoryBlobStore: BlobStore {
    private let directory: String
    private let incoming: String
    private let threads: BlobThreads
    private let next = Mutex<UInt64>(0)

    /// Opens the store, making its directories; what an earlier process left half is removed.
    public init(directory: String, threads: Int = 2) throws(StoreError) {
        self.directory = directory
        incoming = directory + "/incoming"
        try FileCalls.makeDirectory(directory)
        try FileCalls.makeDirectory(incoming)
        for name in try FileCalls.names(in: incoming) {
            _ = try FileCalls.remove(incoming + "/" + name)
        }
        self.threads = BlobThreads(count: threads)
    }

    /// Begins an upload of at most `limit` bytes, which never lie in memory as a whole.
    public func makeUpload(limit: Int64) async throws(StoreError) -> any BlobUpload {
        let number = next.withLock { number in
            number += 1
            return number
        }
        // Only this process writes here: the data directory is locked, so a counter is a name.
        let path = "\(incoming)/\(number)"
        let directory = directory
        let threads = threads
        return try await threads.run { () throws(StoreError) in
            DirectoryUpload(
                descriptor: try FileCalls.create(path), path: path, directory: directory,
                limit: limit, threads: threads)
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

    fileprivate static func path(of id: AttachmentID, in directory: String) -> String {
        "\(shelf(of: id, in: directory))/\(id.text)"
    }

    fileprivate static func shelf(of id: AttachmentID, in directory: String) -> String {
        "\(directory)/\(id.text.prefix(2))"
    }
}

/// A file that is being written.
private final class DirectoryUpload: BlobUpload {
    private struct State: ~Copyable {
        var descriptor: Int32?
        var byteCount: Int64 = 0
        var digest: SHA256? = SHA256()
    }

    private let state: Mutex<State>
    private let path: String
    private let directory: String
    private let limit: Int64
    private let threads: BlobThreads

    init(descriptor: Int32, path: String, directory: String, limit: Int64, threads: BlobThreads) {
        state = Mutex(State(descriptor: descriptor))
        self.path = path
        self.directory = directory
        self.limit = limit
        self.threads = threads
    }

    deinit {
        let left = state.withLock { state in state.descriptor.take() }
        guard let left else { return }
        let path = path
        threads.runLater { Self.drop(left, path) }
    }

    func write(_ piece: [UInt8]) async throws(StoreError) {
        try await threads.run { [self] () throws(StoreError) in
            let result: Result<Void, StoreError> = state.withLock { state in
                do throws(StoreError) {
                    guard let descriptor = state.descriptor else { throw StoreError(.closed) }
                    guard state.byteCount + Int64(piece.count) <= limit else {
                        throw StoreError(.refused, "upload is over \(limit) bytes")
                    }
                    try FileCalls.write(piece, to: descriptor)
                    state.byteCount += Int64(piece.count)
                    state.digest?.update(piece)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    func finish() async throws(StoreError) -> Blob {
        try await threads.run { [self] () throws(StoreError) in
            let (descriptor, byteCount, digest) = state.withLock { state in
                (state.descriptor.take(), state.byteCount, state.digest.take()?.finish())
            }
            guard let descriptor, let digest = digest.flatMap({ Digest(bytes: $0) }) else {
                throw StoreError(.closed)
            }
            do throws(StoreError) {
                try FileCalls.flush(descriptor)
                FileCalls.close(descriptor)
            } catch {
                Self.drop(descriptor, path)
                throw error
            }
            let id = AttachmentID(digest)
            let shelf = DirectoryBlobStore.shelf(of: id, in: directory)
            try FileCalls.makeDirectory(shelf)
            // Over an equal blob of before this changes nothing: the same name is the same bytes.
            try FileCalls.move(path, to: DirectoryBlobStore.path(of: id, in: directory))
            try FileCalls.flushDirectory(shelf)
            try FileCalls.flushDirectory(directory)
            return Blob(id: id, byteCount: byteCount)
        }
    }

    func cancel() async {
        let left = state.withLock { state in state.descriptor.take() }
        guard let left else { return }
        let path = path
        threads.runLater { Self.drop(left, path) }
    }

    private static func drop(_ descriptor: Int32, _ path: String) {
        FileCalls.close(descriptor)
        // Safe: what stays in incoming/ is removed at the next start.
        _ = try? FileCalls.remove(path)
    }
}
