/// Why a model gave no answer that can be used.
public struct AssistantError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// Its server could not be reached, or broke off.
        case unreachable
        /// Its server answered with another status than 2xx.
        case refused
        /// It took too long.
        case slow
        /// What came is no answer of a chat-completions server, or is cut.
        case malformed
        /// As many requests are under way as may be.
        case busy
        /// The request could not be recorded, so it was not sent.
        case unrecorded
        /// The model's message breaks the rules, after all rounds.
        case unusable
    }

    /// The kind of failure.
    public let code: Code
    /// What more there is to say; never text of a conversation, never a key.
    public let detail: String
    /// Findings as a JSON array's text, of an unusable message.
    public let findings: [UInt8]

    /// Puts a failure together.
    public init(_ code: Code, _ detail: String, findings: [UInt8] = []) {
        self.code = code
        self.detail = detail
        self.findings = findings
    }

    /// Code and detail; safe to log.
    public var description: String { "AssistantError(\(code.rawValue)): \(detail)" }
}
