/// A stored blob that is open for reading; closed when nobody holds it.
public final class BlobFile: Sendable {
    /// How many bytes it has.
    public let byteCount: Int64

    private let descriptor: Int32
    private let threads: BlobThreads

    init(descriptor: Int32, byteCount: Int64, threads: BlobThreads) {
        self.descriptor = descriptor
        self.byteCount = byteCount
        self.threads = threads
    }

    deinit { FileCalls.close(descriptor) }

    /// Reads a piece; shorter than asked only at the end.
    public func read(at offset: Int64, atMost count: Int) async throws(StoreError) -> [UInt8] {
        try await threads.run { [self] () throws(StoreError) -> [UInt8] in
            guard offset >= 0, offset < byteCount, count > 0 else { return [] }
            let wanted = Int(min(Int64(count), byteCount - offset))
            return try FileCalls.read(descriptor, at: offset, atMost: wanted)
        }
    }
}
