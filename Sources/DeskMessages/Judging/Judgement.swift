public import DeskJSON
public import DeskModel

/// What a payload turned out to be: a message's kind, or one of the signals that are not stored.
public enum PayloadKind: Hashable, Sendable {
    /// A message.
    case message(MessageKind)
    /// The sender began to write.
    case typingStart
    /// The sender stopped without sending.
    case typingEnd
    /// The customer deleted the conversation.
    case close
}

/// What the rulebook says of one payload.
public struct Judgement: Sendable {
    /// Why the text is no JSON, for an answer of 400; nil when it is.
    public let fault: JSONError?
    /// The text as JSON.
    public let document: JSONDocument?
    /// What the payload is; nil when it was not recognised.
    public let payload: PayloadKind?
    /// What the envelope states.
    public let stated: StatedEnvelope
    /// All findings, in the order of the text.
    public let findings: [Finding]

    /// Whether the text is no JSON.
    public var isMalformed: Bool { fault != nil }

    /// Whether the message is refused: malformed, or with an error among the findings.
    public var isRefused: Bool {
        fault != nil || findings.contains { $0.severity == .error }
    }

    /// The kind of a message; nil for signals and for what was not recognised.
    public var kind: MessageKind? {
        switch payload {
        case .message(let kind): kind
        case .typingStart, .typingEnd, .close, nil: nil
        }
    }

    /// The findings that refuse the message.
    public var errors: [Finding] { findings.filter { $0.severity == .error } }

    /// The findings that are stored and shown with the message.
    public var warnings: [Finding] { findings.filter { $0.severity != .error } }
}
