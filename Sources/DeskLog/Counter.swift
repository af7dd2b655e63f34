import Synchronization

/// A number that only rises.
///
/// Thread: any, without a lock.
public final class Counter: Sendable {
    private let count = Atomic(0)

    init() {}

    /// The count so far.
    public var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more, or several.
    public func add(_ amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}

/// A number that rises and falls.
///
/// Thread: any, without a lock.
public final class Gauge: Sendable {
    private let now = Atomic(0)

    init() {}

    /// The number now.
    public var value: Int { now.load(ordering: .relaxed) }

    /// Sets the number.
    public func set(_ value: Int) { now.store(value, ordering: .relaxed) }

    /// Adds to the number; a negative amount subtracts.
    public func add(_ amount: Int) { now.wrappingAdd(amount, ordering: .relaxed) }
}
