/// Bytes on their way into a blob store; one task feeds it, piece by piece.
///
/// A class of closures and not a protocol: an existential of it unbalanced the task's allocator with
/// this compiler (found by the runtime's own check, in a call of `write`).
public final class BlobUpload: Sendable {
    private let writePiece: @Sendable ([UInt8]) async throws(StoreError) -> Void
    private let end: @Sendable () async throws(StoreError) -> Blob
    private let drop: @Sendable () async -> Void

    /// An upload of a blob store's; letting go of the closures drops what was not finished.
    public init(
        write: @escaping @Sendable ([UInt8]) async throws(StoreError) -> Void,
        finish: @escaping @Sendable () async throws(StoreError) -> Blob,
        cancel: @escaping @Sendable () async -> Void
    ) {
        writePiece = write
        end = finish
        drop = cancel
    }

    /// Adds a piece.
    ///
    /// - Throws: `refused` beyond the limit that the upload was begun with, `full`, `failed`.
    public func write(_ piece: [UInt8]) async throws(StoreError) { try await writePiece(piece) }

    /// Ends the upload: on return the bytes survive a power cut under the name of their digest.
    ///
    /// - Throws: `closed` after the end, `full`, `failed`.
    public func finish() async throws(StoreError) -> Blob { try await end() }

    /// Drops what was written; so does letting go of an upload that was never finished.
    public func cancel() async { await drop() }
}
