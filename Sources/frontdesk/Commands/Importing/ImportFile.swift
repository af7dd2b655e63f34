import DeskCommandLine
import DeskStore
import Glibc

/// A file that is read from its beginning to its end, and of which ranges are read again.
final class ImportFile {
    /// Bytes read at once.
    static let pieceBytes = 256 * 1_024

    let path: String
    private let descriptor: Int32
    private let isOwned: Bool

    /// Opens a file, or with `-` what is piped in, of which no range can be read again.
    init(_ path: String) throws(UsageError) {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else {
            throw UsageError("\(path) cannot be read: \(SystemWords.text(errno))")
        }
    }

    deinit { if isOwned { _ = close(descriptor) } }  // It was only read.

    /// The next piece; empty at the end.
    func next() throws(UsageError) -> [UInt8] {
        unsafe try fill(Self.pieceBytes) { buffer in
            unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
    }

    /// The bytes of a range.
    func bytes(at offset: Int, count: Int) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let place = off_t(offset + bytes.count)
            let piece = unsafe try fill(count - bytes.count) { buffer in
                unsafe pread(descriptor, buffer.baseAddress, buffer.count, place)
            }
            guard !piece.isEmpty else {
                throw UsageError("\(path) became shorter while it was read")
            }
            bytes += piece
        }
        return bytes
    }

    private func fill(
        _ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(UsageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = -1
        var reason: Int32 = 0
        repeat {
            // Safe: the call fills the array that is lent, up to its count.
            got = unsafe bytes.withUnsafeMutableBytes { unsafe read($0) }
            reason = errno
        } while got < 0 && reason == EINTR
        guard got >= 0 else {
            throw UsageError("\(path) cannot be read: \(SystemWords.text(reason))")
        }
        bytes.removeLast(count - got)
        return bytes
    }
}
