import DeskCrypto
import DeskModel
import Synchronization

/// An upload into a directory: a file in `incoming/` that is moved when it is whole.
final class DirectoryUpload: Sendable {
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
    private let fresh: FreshBlobs
    private let failed: @Sendable (StoreError) -> Void

    init(
        descriptor: Int32, path: String, directory: String, limit: Int64, threads: BlobThreads,
        fresh: FreshBlobs, failed: @escaping @Sendable (StoreError) -> Void
    ) {
        state = Mutex(State(descriptor: descriptor))
        self.path = path
        self.directory = directory
        self.limit = limit
        self.threads = threads
        self.fresh = fresh
        self.failed = failed
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
                try FileCalls.flush(descriptor, failed: failed)
                FileCalls.close(descriptor)
            } catch {
                Self.drop(descriptor, path)
                throw error
            }
            let id = AttachmentID(digest)
            fresh.note(id)
            let folder = DirectoryBlobStore.folder(of: id, in: directory)
            try FileCalls.makeDirectory(folder)
            // Over an equal blob of before this changes nothing: the same name is the same bytes.
            try FileCalls.move(path, to: DirectoryBlobStore.path(of: id, in: directory))
            try FileCalls.flushDirectory(folder, failed: failed)
            try FileCalls.flushDirectory(directory, failed: failed)
            return Blob(id: id, byteCount: byteCount)
        }
    }

    func cancel() {
        let left = state.withLock { state in state.descriptor.take() }
        guard let left else { return }
        let path = path
        threads.runLater { Self.drop(left, path) }
    }

    private static func drop(_ descriptor: Int32, _ path: String) {
        FileCalls.close(descriptor)
        // Safe: what stays in incoming/ is removed by a start of a later day.
        _ = try? FileCalls.remove(path)
    }
}
