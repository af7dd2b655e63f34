import DeskCrypto
import DeskHTTP
import DeskStore
import Synchronization

/// A stored file piece by piece, turned into ciphertext or back on the way when there is a cipher.
final class BlobPieces: BodySource {
    private static let pieceBytes = 65_536

    private struct State: Sendable {
        var offset: Int64 = 0
        var cipher: AESCounter?
    }

    let byteCount: Int64
    private let file: BlobFile
    private let state: Mutex<State>

    init(_ file: BlobFile, cipher: AESCounter?) {
        self.file = file
        byteCount = file.byteCount
        state = Mutex(State(cipher: cipher))
    }

    /// Waits for the next piece; nil at the end.
    func next() async throws(BodyError) -> [UInt8]? {
        let offset = state.withLock(\.offset)
        let piece: [UInt8]
        do throws(StoreError) {
            piece = try await file.read(at: offset, atMost: Self.pieceBytes)
        } catch {
            throw .disconnected
        }
        guard !piece.isEmpty else { return nil }
        return state.withLock { state in
            state.offset += Int64(piece.count)
            return state.cipher?.apply(piece) ?? piece
        }
    }

    /// All of it, up to a limit; one byte more throws `tooLarge`.
    func collect(upTo limit: Int) async throws(BodyError) -> [UInt8] {
        guard byteCount <= Int64(limit) else { throw .tooLarge }
        var all: [UInt8] = []
        while let piece = try await next() { all += piece }
        return all
    }
}
