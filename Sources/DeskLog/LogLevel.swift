/// How much a record matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// For someone who looks for a fault in the program.
    case debug
    /// The normal course of things, at the rate of starts and stops rather than of requests.
    case info
    /// Something went wrong and was put right; nobody needs to come.
    case warning
    /// Something was lost or refused that should not have been; somebody should look.
    case error

    /// Reads `debug`, `info`, `warning` or `error`.
    public init?(_ text: String) {
        guard let level = LogLevel.allCases.first(where: { $0.text == text }) else { return nil }
        self = level
    }

    /// The word in the log line.
    public var text: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// Orders by weight.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
