public import DeskStore

/// The state of the disk by its two marks.
public enum DiskLevel: Int, Sendable {
    /// Above both marks.
    case roomy
    /// Below the soft mark: an operator should make room.
    case low
    /// Below the hard mark: nothing more is stored.
    case full
}

/// The two marks that free space is held against.
public struct DiskMarks: Sendable {
    /// Free bytes below which an alarm is raised.
    public let softBytes: Int64
    /// The same as a share of the disk, in hundredths; the smaller counts.
    public let softPercent: Int64
    /// Free bytes below which nothing more is stored.
    public let hardBytes: Int64

    /// Reads the marks from the limits.
    public init(_ limits: WebLimits) {
        softBytes = Int64(limits.diskSoftBytes)
        softPercent = Int64(limits.diskSoftPercent)
        hardBytes = Int64(limits.diskHardBytes)
    }

    /// The level of some space.
    public func level(of space: DiskSpace) -> DiskLevel {
        if space.freeBytes < hardBytes { return .full }
        let share = space.totalBytes / 100 * softPercent
        return space.freeBytes < min(softBytes, share) ? .low : .roomy
    }

    /// Whether it is worth looking ten times a second: less than twice the hard mark is left.
    public func isNear(_ space: DiskSpace) -> Bool { space.freeBytes / 2 < hardBytes }
}
