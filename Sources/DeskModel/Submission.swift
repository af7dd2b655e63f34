/// An `Idempotency-Key` with all that it is scoped to.
public struct IdempotencyClaim: Hashable, Sendable {
    /// Longest key in bytes.
    public static let maximumKeyBytes = 255

    /// The caller, as text that never names a secret (`key:<uuid>`, `agent:<uuid>`).
    public let credential: String
    /// Method and route, ids included.
    public let route: String
    /// The key as the caller wrote it.
    public let key: String
    /// SHA-256 of the request's body.
    public let body: Digest

    /// Puts the claim together; nil for an empty key or one over 255 bytes.
    public init?(credential: String, route: String, key: String, body: Digest) {
        guard (1...Self.maximumKeyBytes).contains(key.utf8.count) else { return nil }
        self.credential = credential
        self.route = route
        self.key = key
        self.body = body
    }

    /// Credential, route and key in one text, unambiguous as bytes.
    public var scope: String {
        "\(credential.utf8.count):\(credential)\(route.utf8.count):\(route)\(key)"
    }
}

/// A judged message on its way into a conversation.
public struct Submission: Sendable {
    /// Where it goes.
    public var conversation: ConversationID
    /// The sender's id, or one that the API made.
    public var id: MessageID
    /// The bytes as they will be sent on, missing envelope members spliced in.
    public var payload: [UInt8]
    /// The bytes as posted, when splicing changed them; nil means the payload is what was posted.
    public var posted: [UInt8]?
    /// Direction, kind, author and the rest.
    public var facts: MessageFacts
    /// The key that makes a repeat of the request harmless.
    public var idempotency: IdempotencyClaim?
    /// Whether the attachments were uploaded before: it is refused where one was forgotten meanwhile.
    public var namesHeldFiles: Bool
    /// Whether a conversation without an assignee is assigned to the author, as its business wants.
    public var assignsAuthor = false
    /// The last message that the sender has seen: refused where another sender wrote to the customer
    /// after it; nil for whatever was written.
    public var lastSeen: SequenceNumber?

    /// Puts a submission together.
    public init(
        conversation: ConversationID, id: MessageID, payload: [UInt8], posted: [UInt8]? = nil,
        facts: MessageFacts, idempotency: IdempotencyClaim? = nil, namesHeldFiles: Bool = false,
        lastSeen: SequenceNumber? = nil
    ) {
        self.conversation = conversation
        self.id = id
        self.payload = payload
        self.posted = posted
        self.facts = facts
        self.idempotency = idempotency
        self.namesHeldFiles = namesHeldFiles
        self.lastSeen = lastSeen
    }
}

/// The answer to a submission that was stored, now or before.
public struct Acceptance: Hashable, Sendable {
    /// The message as stored; the same for every repeat.
    public let message: StoredMessage
    /// Whether an earlier request stored it.
    public let isRepeat: Bool

    /// Puts the answer together.
    public init(message: StoredMessage, isRepeat: Bool) {
        self.message = message
        self.isRepeat = isRepeat
    }
}
