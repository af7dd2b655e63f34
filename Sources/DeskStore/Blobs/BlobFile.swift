public import DeskBytes

/// A stored blob that is open for reading; closed with its last reference.
public final class BlobFile: Sendable {
    /// How many bytes it has.
    public let byteCount: Int64
    /// The file of this machine that has these bytes and no others, so that the kernel can send them
    /// without passing them through this process; nil when the store has no such file.
    public let file: OpenFile?

    private let readPiece: @Sendable (Int64, Int) async throws(StoreError) -> [UInt8]

    /// A blob of a blob store's; `read` is asked for bytes that the blob has.
    public init(
        byteCount: Int64,
        file: OpenFile? = nil,
        read:
            @escaping @Sendable (_ offset: Int64, _ count: Int) async throws(StoreError) -> [UInt8]
    ) {
        self.byteCount = byteCount
        self.file = file
        readPiece = read
    }

    /// Reads a piece; shorter than asked only at the end.
    public func read(at offset: Int64, atMost count: Int) async throws(StoreError) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0 else { return [] }
        return try await readPiece(offset, Int(min(Int64(count), byteCount - offset)))
    }
}
