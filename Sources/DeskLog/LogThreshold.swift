import Synchronization

/// The least level that a log and all made of it write; it may change while they are in use.
final class LogThreshold: Sendable {
    private let value: Atomic<Int>

    init(_ level: LogLevel) { value = Atomic(level.rawValue) }

    var level: LogLevel {
        get { LogLevel(rawValue: value.load(ordering: .relaxed)) ?? .info }
        set { value.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Whether records of a level are written.
    func admits(_ level: LogLevel) -> Bool {
        level.rawValue >= value.load(ordering: .relaxed)
    }
}
