/// Which side of the Messages-for-Business protocol the server plays towards the other system.
public enum GatewaySide: String, Sendable, CaseIterable {
    /// We are the gateway, a provider of the business's speaks to us.
    case provider
    /// We are the provider, a gateway brings us the business's customers.
    case upstream
    /// We are a client of WhatsApp's Cloud API, which brings us the business's customers there.
    case whatsapp
}

/// A link of one business to a provider, to an upstream gateway (an app registration or its mirror), or to a
/// number at WhatsApp: then `mspID` is the id of the number, `secret` the three secrets as DeskLinks writes
/// them, and `url` the base of the Graph API with its version.
public struct GatewayLink: Hashable, Sendable {
    /// Bytes of a secret that we make.
    public static let secretBytes = 32
    /// Longest address in bytes.
    public static let maximumURLBytes = 2_048
    /// Longest MSP id in bytes.
    public static let maximumMSPBytes = 128

    /// Its name; the outbox of what is sent over it has the same UUID.
    public let id: GatewayLinkID
    /// Whose it is; a business has at most one link of each side.
    public let business: BusinessID
    /// The kind of the other system.
    public let side: GatewaySide
    /// The provider's id: `iss` of what the provider sends, `aud` of what it is sent.
    public var mspID: String
    /// The key of both directions' tokens, decoded.
    public var secret: [UInt8] {
        didSet { if secret != oldValue { isSecretUnreadable = false } }
    }
    /// Whether the stored secret could not be decrypted: `secret` is random then, so that nothing is accepted by
    /// it, and nothing is sent until it is entered again.
    public var isSecretUnreadable = false
    /// Where the other end is: a provider's endpoint without `/message`, or a gateway's base with `/v1`.
    public var url: String
    /// How it behaves, as a JSON object's text; DeskGateway reads it.
    public var settings: [UInt8]
    /// When it was made.
    public let createdAt: Timestamp

    /// Describes a link.
    public init(
        id: GatewayLinkID, business: BusinessID, side: GatewaySide, mspID: String, secret: [UInt8],
        url: String, settings: [UInt8] = Array("{}".utf8), createdAt: Timestamp
    ) {
        self.id = id
        self.business = business
        self.side = side
        self.mspID = mspID
        self.secret = secret
        self.url = url
        self.settings = settings
        self.createdAt = createdAt
    }

    /// The outbox that sends to the other system.
    public var outbox: OutboxID { OutboxID(id.value) }
}

/// Ciphertext that the gateway keeps for every caller that knows its address, as the protocol's
/// MMCS does.
public struct MMCSObject: Hashable, Sendable {
    /// The last part of its address: 32 lower-case hexadecimal digits.
    public let id: String
    /// Whose conversations it belongs to.
    public let business: BusinessID
    /// The stored bytes.
    public let content: AttachmentID
    /// The key under which the stored bytes are encrypted on their way out; nil when they lie encrypted.
    public let key: [UInt8]?
    /// Its size in bytes.
    public let byteCount: Int64
    /// What a client shows to fetch it; 33 bytes.
    public let signature: [UInt8]
    /// When it was stored.
    public let createdAt: Timestamp
    /// When it is forgotten unless a message names it; nil once one does.
    public let keptUntil: Timestamp?

    /// Puts an object together.
    public init(
        id: String, business: BusinessID, content: AttachmentID, key: [UInt8]?, byteCount: Int64,
        signature: [UInt8], createdAt: Timestamp, keptUntil: Timestamp? = nil
    ) {
        self.keptUntil = keptUntil
        self.id = id
        self.business = business
        self.content = content
        self.key = key
        self.byteCount = byteCount
        self.signature = signature
        self.createdAt = createdAt
    }
}
