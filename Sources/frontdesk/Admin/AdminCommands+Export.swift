import DeskArchive
import DeskModel
import DeskStore

extension AdminCommands {
    /// Receives the head of an archive.
    typealias Begin = @Sendable (ArchiveHead) throws(StoreError) -> Void
    /// Receives an item of it.
    typealias Take = @Sendable (ArchiveItem) throws(StoreError) -> Void

    /// Hands an export over as it is made, with the attachments; with a server it runs beside all else.
    func export(
        _ blobs: any BlobStore, to output: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> Result {
        await Self.export(to: output) { begin, take throws(StoreError) in
            try await store.archive(with: blobs, at: time.now(), begin: begin, take: take)
        }
    }

    /// Hands an export over as it is read.
    static func export(
        to output: @escaping @Sendable ([UInt8]) -> Bool,
        reading read: (@escaping Begin, @escaping Take) async throws(StoreError) -> Void
    ) async -> Result {
        let writer = ArchiveWriter(to: output)
        do throws(StoreError) {
            try await read(
                { head throws(StoreError) in try writer.begin(head) },
                { item throws(StoreError) in try writer.take(item) })
            return .done("exported \(try writer.finish().text)")
        } catch {
            guard error.code == .damaged else {
                return .failed("nothing was exported: \(StoreFailure.sentence(error))")
            }
            return .failed(
                "nothing was exported, since something is damaged: \(error.detail)\n"
                    + "  frontdesk verify names everything that is")
        }
    }
}
