/// Why a choice becomes no answer.
public struct ReplyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: String, Sendable, CaseIterable {
        /// What the phone posted is not a choice.
        case badChoice = "bad_choice"
        /// The message answered offers something else, or nothing.
        case wrongKind = "wrong_kind"
        /// The message answered does not offer this.
        case notOffered = "not_offered"
        /// The time that was picked has passed.
        case past
        /// More was picked than the section allows.
        case tooMany = "too_many"
    }

    /// The kind of refusal.
    public let code: Code
    /// What is wrong, without a word of the message.
    public let detail: String

    /// Puts code and detail together.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The code and the detail, fit for a log.
    public var description: String { "ReplyError(\(code.rawValue): \(detail))" }
}
