/// Where a customer's browser is notified that the business has answered, while no page is open (RFC 8030).
///
/// Secret: the endpoint, by which anybody may write to the browser, and what is encrypted with; none goes into a log.
public struct PushSubscription: Hashable, Sendable {
    /// Most subscriptions of a conversation; a further one ends the oldest.
    public static let mostPerConversation = 8
    /// Bytes of `secret`.
    public static let secretBytes = 16
    /// Longest endpoint in bytes.
    public static let endpointBytes = 2_048

    /// Its name: SHA-256 of the conversation's id, a space and the endpoint, so that the browser can compute it.
    public let id: Digest
    /// Of which conversation it is notified.
    public let conversation: ConversationID
    /// Whose conversation that is.
    public let business: BusinessID
    /// The address at the push service.
    public let endpoint: String
    /// The browser's public key: an uncompressed point of P-256.
    public let point: [UInt8]
    /// The authentication secret of RFC 8291.
    public let secret: [UInt8]
    /// When the browser gave it last.
    public let createdAt: Timestamp

    /// Puts a subscription together.
    public init(
        id: Digest, conversation: ConversationID, business: BusinessID, endpoint: String,
        point: [UInt8], secret: [UInt8], createdAt: Timestamp
    ) {
        self.id = id
        self.conversation = conversation
        self.business = business
        self.endpoint = endpoint
        self.point = point
        self.secret = secret
        self.createdAt = createdAt
    }
}
