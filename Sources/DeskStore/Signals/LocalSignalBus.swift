import Synchronization

/// The signals of one process: each listener is called before `publish` returns.
public final class LocalSignalBus: SignalBus {
    private let listeners = Mutex<[@Sendable ([SignalNotice]) -> Void]>([])

    /// A bus without listeners.
    public init() {}

    /// Nothing is lost, so nothing is repeated.
    public var repeatInterval: Duration? { nil }

    /// Calls every listener.
    public func publish(_ notices: [SignalNotice]) {
        for listener in listeners.withLock({ $0 }) { listener(notices) }
    }

    /// Adds a listener for as long as the bus lives.
    public func subscribe(_ listener: @escaping @Sendable ([SignalNotice]) -> Void) {
        listeners.withLock { $0.append(listener) }
    }
}
