import Glibc

/// A moment of the monotonic clock, in nanoseconds; deadlines are such moments.
struct MonotonicTime: Comparable, Sendable {
    var nanoseconds: UInt64

    /// Later than everything: no deadline.
    static let never = MonotonicTime(nanoseconds: .max)

    static func now() -> MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    static func + (left: MonotonicTime, right: Nanoseconds) -> MonotonicTime {
        let (sum, overflows) = left.nanoseconds.addingReportingOverflow(right.count)
        return MonotonicTime(nanoseconds: overflows ? .max : sum)
    }

    /// The time from an earlier moment to this one; zero when it is later.
    func since(_ earlier: MonotonicTime) -> Nanoseconds {
        Nanoseconds(
            count: nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0)
    }
}

/// A length of time, converted from a limit once so that the hot path only adds.
struct Nanoseconds: Comparable, Sendable {
    var count: UInt64

    init(count: UInt64) { self.count = count }

    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        count =
            UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    }

    static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
}
