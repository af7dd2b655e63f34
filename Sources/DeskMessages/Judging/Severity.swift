/// What a finding does to the message.
public enum Severity: String, Sendable, CaseIterable, Comparable {
    /// The message is refused.
    case error
    /// The message is accepted; the finding is stored and shown with it.
    case warning
    /// The message is accepted; the finding only says what will happen next.
    case info

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        }
    }

    /// The graver one comes first.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// How much of the wild a judgement puts up with.
public enum Profile: String, Sendable, CaseIterable {
    /// What the channel refuses, and what would be seen otherwise than meant, are errors. Console,
    /// sandbox, API and lint.
    case strict
    /// Only what the channel refuses is an error. The gateway and inbound traffic.
    case lenient
}
