import Glibc

/// Why the server could not start or go on.
public struct NetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The step that failed: `listen`, `epoll`, `eventfd`, `thread` or `tls`.
    public let step: String
    /// The system's error number; 0 when there is none.
    public let number: Int32

    init(_ step: String, _ number: Int32 = errno) {
        self.step = step
        self.number = number
    }

    /// Step and the system's words; safe to log.
    public var description: String {
        guard number != 0, let text = unsafe strerror(number) else { return "NetError(\(step))" }
        return "NetError(\(step): \(unsafe String(cString: text)))"
    }
}
