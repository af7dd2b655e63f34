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
}
