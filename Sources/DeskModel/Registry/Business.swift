/// A business: everything else belongs to exactly one.
public struct Business: Hashable, Sendable {
    /// Its name in the server and in entry links.
    public let id: BusinessID
    /// What people call it.
    public var name: String
    /// `#rrggbb`.
    public var colour: String
    /// Its picture, an attachment of the server.
    public var picture: AttachmentID?
    /// Live or test.
    public let mode: Mode
    /// Whether it is the one that the sandbox page plays with.
    public let isSandbox: Bool
    /// When it was registered.
    public let createdAt: Timestamp
    /// Whether an agent's answer assigns a conversation without an assignee to the agent.
    public var assignsOnReply: Bool
    /// Whether its members need a second factor; it is changed by a call of its own.
    public var requiresSecondFactor: Bool

    /// Describes a business.
    public init(
        id: BusinessID, name: String, colour: String, picture: AttachmentID? = nil, mode: Mode,
        isSandbox: Bool = false, createdAt: Timestamp, assignsOnReply: Bool = true,
        requiresSecondFactor: Bool = false
    ) {
        self.id = id
        self.name = name
        self.colour = colour
        self.picture = picture
        self.mode = mode
        self.isSandbox = isSandbox
        self.createdAt = createdAt
        self.assignsOnReply = assignsOnReply
        self.requiresSecondFactor = requiresSecondFactor
    }
}

/// A printable way in, with what it carries along.
public struct EntryLink: Hashable, Sendable {
    /// Its name within the business; `default` is always there and never stored.
    public let id: String
    /// Whose it is.
    public let business: BusinessID
    /// What the business calls it.
    public var label: String
    /// `biz-intent-id`.
    public var intent: String?
    /// `biz-group-id`.
    public var group: String?
    /// The text that the phone page starts with.
    public var body: String?

    /// Describes a link.
    public init(
        id: String, business: BusinessID, label: String, intent: String? = nil,
        group: String? = nil, body: String? = nil
    ) {
        self.id = id
        self.business = business
        self.label = label
        self.intent = intent
        self.group = group
        self.body = body
    }
}
