/// Whom a counter counts, in a form that all processes share.
public struct CounterSubject: Hashable, Sendable {
    /// What sort of subject it is, so that equal names of two sorts are two subjects.
    public let sort: UInt8
    /// The first half of its name.
    public let high: UInt64
    /// The second half of its name.
    public let low: UInt64

    /// Names a subject by two numbers.
    public init(sort: UInt8, high: UInt64 = 0, low: UInt64) {
        self.sort = sort
        self.high = high
        self.low = low
    }

    /// Names a subject by its id.
    public init(sort: UInt8, _ id: UniqueID) { self.init(sort: sort, high: id.high, low: id.low) }

    /// Names a subject by the first half of a digest.
    public init(sort: UInt8, _ digest: Digest) {
        self.init(sort: sort, high: digest.words[0], low: digest.words[1])
    }
}
