import DeskStore
import Synchronization

/// An open blob: reads it piece by piece and holds the last piece, since readers ask for parts of one.
final class BlobPieces: Sendable {
    private let upload: Int64
    private let byteCount: Int64
    private let threads: PostgresThreads
    private let last = Mutex<(place: Int64, bytes: [UInt8])?>(nil)

    init(of upload: Int64, byteCount: Int64, threads: PostgresThreads) {
        self.upload = upload
        self.byteCount = byteCount
        self.threads = threads
    }

    /// Reads bytes that the blob has.
    func read(at offset: Int64, count: Int) async throws(StoreError) -> [UInt8] {
        let size = Int64(BlobRows.pieceBytes)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let next = offset + Int64(bytes.count)
            let piece = try await piece(next / size)
            let start = Int(next % size)
            let part = piece[start..<min(piece.count, start + count - bytes.count)]
            // Most reads lie within one piece.
            if bytes.isEmpty { bytes = Array(part) } else { bytes += part }
        }
        return bytes
    }

    private func piece(_ place: Int64) async throws(StoreError) -> [UInt8] {
        let known = last.withLock { $0 }
        if let known, known.place == place { return known.bytes }
        let upload = upload
        let bytes = try await threads.run { connection throws(StoreError) in
            try BlobRows.piece(place, of: upload, on: connection)
        }
        let size = Int64(BlobRows.pieceBytes)
        guard Int64(bytes.count) == min(size, byteCount - place * size) else {
            throw StoreError(.damaged, "piece \(place) of blob \(upload) is cut")
        }
        last.withLock { $0 = (place, bytes) }
        return bytes
    }
}
