import DeskCrypto
import DeskModel
package import DeskStore
import Synchronization

/// Writes an archive's lines and sums them up; holds only the unwritten last part of it.
package final class ArchiveWriter: Sendable {
    /// Bytes that are handed on at once.
    private static let rangeBytes = 256 * 1_024

    private struct State: ~Copyable {
        var digest = SHA256()
        var waiting: [UInt8] = []
        var end = ArchiveEnd()
    }

    private let state = Mutex(State())
    private let output: @Sendable ([UInt8]) -> Bool

    /// `output` returns whether it accepted the bytes.
    package init(to output: @escaping @Sendable ([UInt8]) -> Bool) { self.output = output }

    /// Writes the first line.
    package func begin(_ head: ArchiveHead) throws(StoreError) { try add(ArchiveLine.write(head)) }

    /// Writes a thing; a long piece of an attachment becomes several lines.
    ///
    /// - Throws: `failed` when the output accepts no more, `damaged` for a text that is none.
    package func take(_ item: ArchiveItem) throws(StoreError) {
        guard case .piece(let bytes) = item else { return try add(item) }
        for start in stride(from: 0, to: bytes.count, by: ArchiveLine.pieceBytes) {
            let end = min(start + ArchiveLine.pieceBytes, bytes.count)
            try add(.piece(Array(bytes[start..<end])))
        }
    }

    /// Writes the last line and hands on what is left.
    package func finish() throws(StoreError) -> ArchiveEnd {
        let end = state.withLock { state in
            var digest = SHA256()
            swap(&digest, &state.digest)
            guard let sum = Digest(bytes: digest.finish()) else {
                preconditionFailure("SHA-256 gave another count of bytes")
            }
            state.end.digest = sum
            return state.end
        }
        try add(ArchiveLine.write(end))
        let rest = state.withLock { $0.waiting }
        guard output(rest) else { throw Self.stopped }
        return end
    }

    private static let stopped = StoreError(.failed, "the output accepted no more")

    private func add(_ item: ArchiveItem) throws(StoreError) {
        try add(ArchiveLine.write(item), ArchiveLine.type(of: item))
    }

    private func add(_ line: [UInt8], _ type: String? = nil) throws(StoreError) {
        let ready: [UInt8]? = state.withLock { state in
            let start = state.waiting.count
            state.waiting += line
            state.waiting.append(0x0A)
            state.digest.update(state.waiting[start...])
            state.end.lines += 1
            if let type { state.end.counts[type, default: 0] += 1 }
            guard state.waiting.count >= Self.rangeBytes else { return nil }
            let ready = state.waiting
            state.waiting = []
            state.waiting.reserveCapacity(Self.rangeBytes)
            return ready
        }
        guard let ready else { return }
        guard output(ready) else { throw Self.stopped }
    }
}
