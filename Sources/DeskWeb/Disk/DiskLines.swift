/// Which changes of the disk's level the log gets: each level at once, and none of them often.
///
/// Limit: a line about one level each 10 s. A level that was held back is due after them, if the disk still has it.
struct DiskLines: Sendable {
    /// Shortest time between two lines about one level, and how long a failed write outweighs a look
    /// that finds room.
    static let silence = Duration.seconds(10)

    private var reported = DiskLevel.roomy
    private var reportedAt: [DiskLevel: ContinuousClock.Instant] = [:]
    /// Whether a write has failed since the last look.
    private var hasFailed = false
    private var failedAt: ContinuousClock.Instant?

    /// Notes that a write failed for want of room; whether a line is due.
    ///
    /// Limit: one line each 10 s, because no look changes the level before.
    mutating func noteFailure() -> Bool {
        hasFailed = true
        guard reported != .full else { return false }
        reported = .full
        return true
    }

    /// Notes what a look found; whether a line about it is due.
    mutating func note(_ level: DiskLevel, at now: ContinuousClock.Instant) -> Bool {
        if hasFailed {
            hasFailed = false
            failedAt = now
        }
        guard level != reported else { return false }
        // Where writes fail, a look that finds room is no recovery yet.
        if reported == .full, isRecent(failedAt, now) { return false }
        // At the edge of a mark the level may change ten times a second.
        guard !isRecent(reportedAt[level], now) else { return false }
        reported = level
        reportedAt[level] = now
        return true
    }

    private func isRecent(
        _ past: ContinuousClock.Instant?, _ now: ContinuousClock.Instant
    ) -> Bool {
        past.map { $0.duration(to: now) < Self.silence } ?? false
    }
}
