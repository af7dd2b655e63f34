/// A moment of the wall clock in milliseconds since 1970; shown and signed, never used for order.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// A moment in milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A moment in whole seconds since 1970.
    public init(seconds: Int64) { milliseconds = seconds &* 1_000 }

    /// The earlier moment is the smaller one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment a duration later, to the millisecond.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(
            milliseconds: milliseconds &+ seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000)
    }

    /// The time that passed since an earlier moment; negative when that one is later.
    public func since(_ earlier: Timestamp) -> Duration {
        .milliseconds(milliseconds &- earlier.milliseconds)
    }
}
