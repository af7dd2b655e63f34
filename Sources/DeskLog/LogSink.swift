import Synchronization

/// Writes finished log lines, each with its newline.
public protocol LogSink: Sendable {
    /// Writes one line; must not block for long.
    func write(_ line: [UInt8])
}

/// Keeps lines in memory, for tests.
public final class MemorySink: LogSink {
    private let kept = Mutex<[String]>([])

    /// Makes an empty sink.
    public init() {}

    /// The lines so far, without their newlines.
    public var lines: [String] { kept.withLock { $0 } }

    /// Keeps the line.
    public func write(_ line: [UInt8]) {
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        kept.withLock { $0.append(text) }
    }
}

/// Drops every line.
struct NullSink: LogSink {
    func write(_ line: [UInt8]) {}
}
