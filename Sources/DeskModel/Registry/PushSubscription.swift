/// Who is notified by a subscription.
public enum PushOwner: Hashable, Sendable {
    /// A customer, of answers in a conversation with a business.
    case customer(ConversationID, of: BusinessID)
    /// An agent, in a browser that the agent signed in with; `zone` is the browser's time zone, by its IANA name.
    case agent(AgentID, device: Digest, zone: String)
}

/// Where a browser is notified by its push service, while no page is open (RFC 8030).
///
/// Secret: the endpoint, by which anybody may write to the browser, and what is encrypted with; none goes into a log.
public struct PushSubscription: Hashable, Sendable {
    /// Most subscriptions of a conversation; a further one ends the oldest.
    public static let mostPerConversation = 8
    /// Most subscriptions of an agent; a further one ends the one that was refreshed longest ago.
    public static let mostPerAgent = 8
    /// An agent's subscription ends when no console in the browser has refreshed it for so many days.
    public static let agentDays = 14
    /// Bytes of `secret`.
    public static let secretBytes = 16
    /// Longest endpoint in bytes.
    public static let endpointBytes = 2_048

    /// Its name: SHA-256 of the conversation's or the agent's id, a space and the endpoint, so that the browser can
    /// compute it.
    public let id: Digest
    /// Who is notified.
    public let owner: PushOwner
    /// The address at the push service.
    public let endpoint: String
    /// The browser's public key: an uncompressed point of P-256.
    public let point: [UInt8]
    /// The authentication secret of RFC 8291.
    public let secret: [UInt8]
    /// When the browser gave it last.
    public let createdAt: Timestamp
    /// Whether the agent's session that gave it last was begun with a passkey.
    public let isByPasskey: Bool

    /// Puts a subscription together.
    public init(
        id: Digest, owner: PushOwner, endpoint: String, point: [UInt8], secret: [UInt8],
        createdAt: Timestamp, isByPasskey: Bool = false
    ) {
        self.id = id
        self.owner = owner
        self.endpoint = endpoint
        self.point = point
        self.secret = secret
        self.createdAt = createdAt
        self.isByPasskey = isByPasskey
    }
}
