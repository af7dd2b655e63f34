/// What an agent chose for the own work, on every device.
public struct AgentPreferences: Hashable, Sendable {
    /// Longest time for which a message may be withdrawn, in seconds.
    public static let longestSendDelay = 30

    /// Seconds for which a sent message may still be withdrawn; 0 sends at once.
    public var sendDelay: Int
    /// What was chosen for the console, the text of a JSON object that the API judged; nil until
    /// something was.
    public var console: [UInt8]?

    /// What holds until an agent chooses.
    public init(sendDelay: Int = 0, console: [UInt8]? = nil) {
        self.sendDelay = sendDelay
        self.console = console
    }
}
