import Glibc

/// Why the server could not start or continue.
public struct NetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The step that failed: `listen`, `epoll`, `eventfd`, `thread` or `tls`.
    public let step: String
    /// The system's error number; 0 when there is none.
    public let number: Int32

    init(_ step: String, _ number: Int32 = errno) {
        self.step = step
        self.number = number
    }

    /// The system's message for the number, or the step when there is none.
    public var reason: String {
        guard number != 0, let text = unsafe strerror(number) else { return step }
        return unsafe String(cString: text)
    }

    /// The step and the system's message; safe to log.
    public var description: String {
        number == 0 ? "NetError(\(step))" : "NetError(\(step): \(reason))"
    }
}
