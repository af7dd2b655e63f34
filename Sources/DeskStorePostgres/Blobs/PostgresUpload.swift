import DeskCrypto
import DeskModel
import DeskStore
import Synchronization

/// An upload into the database; fed by one task.
final class PostgresUpload: Sendable {
    private struct State: ~Copyable {
        /// What came in so far; nil once the upload has ended.
        var digest: SHA256? = SHA256()
        var byteCount: Int64 = 0
        /// The upload's number, from its first stored piece on.
        var number: Int64?
        var pieces: Int64 = 0
        /// What came in behind the stored pieces.
        var rest: [UInt8] = []
    }

    private let state = Mutex(State())
    private let limit: Int64
    private let threads: PostgresThreads

    init(limit: Int64, threads: PostgresThreads) {
        self.limit = limit
        self.threads = threads
    }

    deinit { cancel() }

    func write(_ bytes: [UInt8]) async throws(StoreError) {
        let error: StoreError? = state.withLock { state in
            guard state.digest != nil else { return StoreError(.closed) }
            guard state.byteCount + Int64(bytes.count) <= limit else {
                return StoreError(.refused, "upload is over \(limit) bytes")
            }
            state.byteCount += Int64(bytes.count)
            state.digest?.update(bytes)
            return nil
        }
        if let error { throw error }
        var left = bytes[...]
        while let piece = nextPiece(of: &left) { try await store(piece) }
    }

    func finish() async throws(StoreError) -> Blob {
        let end: BlobRows.End? = state.withLock { state in
            guard let digest = state.digest.take()?.finish(), let digest = Digest(bytes: digest)
            else { return nil }
            let rest = state.rest
            state.rest = []
            return BlobRows.End(
                upload: state.number, pieces: state.pieces, rest: rest,
                blob: Blob(id: AttachmentID(digest), byteCount: state.byteCount))
        }
        guard let end else { throw StoreError(.closed) }
        do throws(StoreError) {
            try await threads.run { connection throws(StoreError) in
                try BlobRows.finish(end, on: connection)
            }
        } catch {
            // Nothing is dropped where it was stored in spite of the failure.
            if let upload = end.upload { drop(upload) }
            throw error
        }
        return end.blob
    }

    func cancel() {
        let number: Int64? = state.withLock { state in
            guard state.digest.take() != nil else { return nil }
            state.rest = []
            return state.number
        }
        if let number { drop(number) }
    }

    /// Adds the first of these bytes to what waits; returns a whole piece once there is one.
    private func nextPiece(of left: inout ArraySlice<UInt8>) -> [UInt8]? {
        let size = BlobRows.pieceBytes
        let coming = left
        let (used, piece): (Int, [UInt8]?) = state.withLock { state in
            let part = coming.prefix(size - state.rest.count)
            state.rest += part
            guard state.rest.count == size else { return (part.count, nil) }
            let piece = state.rest
            state.rest = []
            return (part.count, piece)
        }
        left = left.dropFirst(used)
        return piece
    }

    private func store(_ piece: [UInt8]) async throws(StoreError) {
        let (number, place) = state.withLock { ($0.number, $0.pieces) }
        let upload: Int64
        do throws(StoreError) {
            upload = try await threads.run { connection throws(StoreError) in
                connection.beforeCommit(BlobRows.commitsLater)
                let upload = if let number { number } else { try BlobRows.begin(on: connection) }
                try BlobRows.add(piece, at: place, to: upload, on: connection)
                return upload
            }
        } catch {
            cancel()
            throw error
        }
        let isOver = state.withLock { state in
            state.number = upload
            state.pieces += 1
            return state.digest == nil
        }
        // Cancelled meanwhile.
        if isOver { drop(upload) }
    }

    private func drop(_ upload: Int64) {
        threads.runLater { connection throws(StoreError) in
            connection.beforeCommit(BlobRows.commitsLater)
            try BlobRows.drop(upload, on: connection)
        }
    }
}
