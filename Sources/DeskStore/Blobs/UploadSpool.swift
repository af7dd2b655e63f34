import DeskBytes
import DeskCrypto
import DeskModel
import Synchronization

/// An upload on this machine's disk until its bytes are known and can be stored elsewhere.
///
/// Its file has no name, so that it ends with the process; fed by one task.
package final class UploadSpool: Sendable {
    private struct State: ~Copyable {
        var file: OpenFile?
        var byteCount: Int64 = 0
        /// Nil once the upload has ended.
        var digest: SHA256? = SHA256()
    }

    private let state = Mutex(State())
    private let limit: Int64
    private let directory: String
    private let threads: BlobThreads

    /// Begins an upload of at most `limit` bytes; the file is made in the directory by the first of them.
    package init(limit: Int64, in directory: String, on threads: BlobThreads) {
        self.limit = limit
        self.directory = directory
        self.threads = threads
    }

    /// Adds a piece.
    ///
    /// - Throws: `closed` after the end, `refused` beyond the limit, `unavailable` when the directory has no
    ///   room: that is this machine's own, and nothing that others store depends on it.
    package func write(_ piece: [UInt8]) async throws(StoreError) {
        try await threads.run { [self] () throws(StoreError) in
            let result: Result<Void, StoreError> = state.withLock { state in
                do throws(StoreError) {
                    guard state.digest != nil else { throw StoreError(.closed) }
                    guard state.byteCount + Int64(piece.count) <= limit else {
                        throw StoreError(.refused, "upload is over \(limit) bytes")
                    }
                    try add(piece, to: &state)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    private func add(_ piece: [UInt8], to state: inout State) throws(StoreError) {
        do throws(StoreError) {
            let file: OpenFile
            if let made = state.file {
                file = made
            } else {
                file = OpenFile(try FileCalls.createNameless(in: directory))
                state.file = file
            }
            try FileCalls.write(piece, to: file.descriptor)
        } catch {
            throw StoreError(
                .unavailable, "an upload cannot be kept in \(directory): \(error.detail)")
        }
        state.byteCount += Int64(piece.count)
        state.digest?.update(piece)
    }

    /// Ends the upload: what its bytes are, and a file to read them from.
    ///
    /// - Throws: `closed` after the end.
    package func finish() throws(StoreError) -> (blob: Blob, file: BlobFile) {
        let (file, byteCount, digest) = state.withLock { state in
            (state.file.take(), state.byteCount, state.digest.take()?.finish())
        }
        guard let digest = digest.flatMap({ Digest(bytes: $0) }) else { throw StoreError(.closed) }
        let threads = threads
        let bytes = BlobFile(byteCount: byteCount) { offset, count throws(StoreError) in
            guard let file else { return [] }
            return try await threads.run { () throws(StoreError) in
                try FileCalls.read(file.descriptor, at: offset, atMost: count)
            }
        }
        return (Blob(id: AttachmentID(digest), byteCount: byteCount), bytes)
    }

    /// Drops what came in.
    package func cancel() {
        state.withLock { state in
            state.file = nil
            _ = state.digest.take()?.finish()
        }
    }
}
