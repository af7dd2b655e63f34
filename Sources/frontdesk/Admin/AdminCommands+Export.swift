import DeskArchive
import DeskModel
import DeskStore

extension AdminCommands {
    /// Hands an export over as it is made; with a server it runs beside all else.
    func export(to output: @escaping @Sendable ([UInt8]) -> Bool) async -> Result {
        let writer = ArchiveWriter(to: output)
        do throws(StoreError) {
            try await store.archive(
                at: time.now(),
                begin: { head throws(StoreError) in try writer.begin(head) },
                take: { item throws(StoreError) in try writer.take(item) })
            return .done("exported \(try writer.finish().text)")
        } catch {
            guard error.code == .damaged else {
                return .failed("nothing was exported: \(error.detail)")
            }
            return .failed(
                "nothing was exported, since something is damaged: \(error.detail)\n"
                    + "  frontdesk verify names everything that is")
        }
    }
}
