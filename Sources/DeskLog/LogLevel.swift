/// The severity of a record.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Details for debugging the program.
    case debug
    /// Normal operation; one record for each start and stop, not for each request.
    case info
    /// A failure that the server recovered from; the operator need not act.
    case warning
    /// Something was lost or refused that should not have been; the operator should act.
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

    /// Orders by severity.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
