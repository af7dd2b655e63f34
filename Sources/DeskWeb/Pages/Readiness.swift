import Synchronization

/// Whether new work is welcome: from the start of the listener until a drain begins, while the store answers.
public final class Readiness: Sendable {
    private let state = Atomic(false)
    private let condition: @Sendable () -> Bool

    /// Starts as not ready.
    ///
    /// - Parameter condition: what has to be true beside; it is asked each time, and waits for nothing.
    public init(asLongAs condition: @escaping @Sendable () -> Bool = { true }) {
        self.condition = condition
    }

    /// Whether new work is welcome.
    public var isReady: Bool { state.load(ordering: .acquiring) && condition() }

    /// Sets it to ready or not.
    public func set(_ isReady: Bool) { state.store(isReady, ordering: .releasing) }
}
