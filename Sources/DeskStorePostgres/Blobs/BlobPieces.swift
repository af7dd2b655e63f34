import DeskStore
import Synchronization

/// An open blob: reads it piece by piece and holds the last piece, since readers ask for parts of one.
final class BlobPieces: Sendable {
    /// Gets the bytes of a piece, by its place among them and their count.
    typealias Fetch = @Sendable (_ place: Int64, _ count: Int) async throws(StoreError) -> [UInt8]

    private let byteCount: Int64
    private let pieceBytes: Int64
    private let fetch: Fetch
    private let last = Mutex<(place: Int64, bytes: [UInt8])?>(nil)

    init(byteCount: Int64, pieceBytes: Int, fetch: @escaping Fetch) {
        self.byteCount = byteCount
        self.pieceBytes = Int64(pieceBytes)
        self.fetch = fetch
    }

    /// Reads bytes that the blob has.
    func read(at offset: Int64, count: Int) async throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let next = offset + Int64(bytes.count)
            let piece = try await piece(next / pieceBytes)
            let start = Int(next % pieceBytes)
            let part = piece[start..<min(piece.count, start + count - bytes.count)]
            // Most reads lie within one piece.
            if bytes.isEmpty { bytes = Array(part) } else { bytes += part }
        }
        return bytes
    }

    private func piece(_ place: Int64) async throws(StoreError) -> [UInt8] {
        let known = last.withLock { $0 }
        if let known, known.place == place { return known.bytes }
        let count = Int(min(pieceBytes, byteCount - place * pieceBytes))
        let bytes = try await fetch(place, count)
        guard bytes.count == count else {
            throw StoreError(
                .damaged, "piece \(place) of a blob has \(bytes.count) bytes, not \(count)")
        }
        last.withLock { $0 = (place, bytes) }
        return bytes
    }
}
