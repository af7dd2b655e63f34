/// How many events a conversation has had: rises by one with each; 0 before the first.
///
/// Of two answers about a conversation the one with the greater revision is the newer one. A
/// conversation from before revisions were counted starts at its newest message's number.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count of events.
    public let value: Int64

    /// Makes a revision of a count that is not negative.
    public init(_ value: Int64) {
        precondition(value >= 0, "revision \(value) is negative")
        self.value = value
    }

    /// Before the first event; of an event that was stored before revisions were counted.
    public static let start = Revision(0)

    /// The next one.
    public var next: Revision { Revision(value + 1) }

    /// The earlier one is the smaller one.
    public static func < (left: Revision, right: Revision) -> Bool { left.value < right.value }

    /// The number in decimal digits.
    public var description: String { String(value) }
}
