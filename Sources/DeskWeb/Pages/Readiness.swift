import Synchronization

/// Whether new work is welcome: from the start of the listener until a drain begins.
public final class Readiness: Sendable {
    private let state = Atomic(false)

    /// Starts as not ready.
    public init() {}

    /// Whether new work is welcome.
    public var isReady: Bool { state.load(ordering: .acquiring) }

    /// Sets it to ready or not.
    public func set(_ isReady: Bool) { state.store(isReady, ordering: .releasing) }
}
