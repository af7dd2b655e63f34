/// How much room the disk of the data directory has.
public struct DiskSpace: Hashable, Sendable {
    /// Bytes that this process may still write.
    public let freeBytes: Int64
    /// Bytes of the disk in all.
    public let totalBytes: Int64

    /// Puts the two together.
    public init(freeBytes: Int64, totalBytes: Int64) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
    }

    /// The fullest of some disks now; there is at least one.
    ///
    /// - Throws: `failed` when a file system does not say.
    public static func least(of gauges: [DiskGauge]) async throws(StoreError) -> DiskSpace {
        var least: DiskSpace?
        for gauge in gauges {
            let space = try await gauge.read()
            if space.freeBytes < least?.freeBytes ?? .max { least = space }
        }
        guard let least else { throw StoreError(.failed, "no disk is watched") }
        return least
    }
}
