/// A program that answers customers of a business by itself, with an API key of its own.
///
/// Nothing is deleted: a retired bot is given no further conversation, and stays readable in the events of those
/// that it had.
public struct Bot: Hashable, Sendable {
    /// Most bots of a business, retired ones included; one more is refused.
    public static let most = 50
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 120
    /// Most intents for which one is first.
    public static let mostIntents = 50
    /// Longest intent in bytes of UTF-8.
    public static let maximumIntentBytes = 64
    /// The seconds that one may be given for an answer.
    public static let answerSeconds = 1...3_600

    /// Its name on the server.
    public let id: BotID
    /// Whose it is.
    public let business: BusinessID
    /// What people call it; unique in the business without regard to case.
    public var name: String
    /// The key that it sends with; one key is one bot of a business.
    public var key: KeyID
    /// The endpoint that it hears of messages by; nil for one that follows the events itself.
    public var webhook: WebhookID?
    /// How long it may leave a customer without an answer before people have the conversation.
    public var answerSeconds: Int
    /// Whether new conversations are its own at first.
    public var isFirst: Bool
    /// The intents of entry links whose new conversations are its own at first, before those of a bot that is first
    /// for all.
    public var intents: [String]
    /// Whether it is given no further conversation.
    public var isRetired: Bool

    /// Describes a bot.
    public init(
        id: BotID, business: BusinessID, name: String, key: KeyID, webhook: WebhookID? = nil,
        answerSeconds: Int = 30, isFirst: Bool = false, intents: [String] = [],
        isRetired: Bool = false
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.key = key
        self.webhook = webhook
        self.answerSeconds = answerSeconds
        self.isFirst = isFirst
        self.intents = intents
        self.isRetired = isRetired
    }

    /// The name in the form in which names are compared.
    public var comparedName: [UInt8] { Array(name.lowercased().utf8) }
}

/// Who is to answer in a conversation.
public enum Controller: Hashable, Sendable {
    /// A bot of the business.
    case bot(BotID)
    /// A team of the business.
    case team(TeamID)
    /// A member of the business.
    case agent(AgentID)

    /// The kind as written in JSON and the store.
    public var kind: String {
        switch self {
        case .bot: "bot"
        case .team: "team"
        case .agent: "agent"
        }
    }

    /// The id as text.
    public var name: String {
        switch self {
        case .bot(let id): id.text
        case .team(let id): id.text
        case .agent(let id): id.text
        }
    }

    /// Reads what `kind` and `name` wrote; nil for an unknown kind or a broken id.
    public init?(kind: String, name: String) {
        switch kind {
        case "bot":
            guard let id = BotID(name) else { return nil }
            self = .bot(id)
        case "team":
            guard let id = TeamID(name) else { return nil }
            self = .team(id)
        case "agent":
            guard let id = AgentID(name) else { return nil }
            self = .agent(id)
        default: return nil
        }
    }

    /// The bot; nil where people are to answer.
    public var bot: BotID? {
        if case .bot(let id) = self { id } else { nil }
    }
}

/// Who controls a conversation that a bot has, or once had.
public struct Control: Hashable, Sendable {
    /// Longest metadata in bytes.
    public static let maximumMetadataBytes = 4_096
    /// Longest summary in bytes of UTF-8.
    public static let maximumSummaryBytes = 4_096

    /// Which conversation.
    public let conversation: ConversationID
    /// Whose that is.
    public let business: BusinessID
    /// Who is to answer; nil for people, none of them in particular.
    public var controller: Controller?
    /// Since when.
    public var since: Timestamp
    /// To whom it is offered; nil where it is not.
    public var offer: Controller?
    /// When people get it unless the bot answers before; nil while no customer waits for a bot.
    public var answerBy: Timestamp?
    /// What those who had it left for the next, as a JSON object's text; empty for nothing.
    public var metadata: [UInt8]

    /// Describes who has control.
    public init(
        of conversation: ConversationID, in business: BusinessID, _ controller: Controller?,
        since: Timestamp, offer: Controller? = nil, answerBy: Timestamp? = nil,
        metadata: [UInt8] = []
    ) {
        self.conversation = conversation
        self.business = business
        self.controller = controller
        self.since = since
        self.offer = offer
        self.answerBy = answerBy
        self.metadata = metadata
    }
}

/// Why control of a conversation changed.
public enum ControlReason: String, Hashable, Sendable, CaseIterable {
    /// The conversation began, or began again after it was closed.
    case opened
    /// Who had it passed it on.
    case passed
    /// It was offered, and stays where it is until the offer is accepted.
    case offered
    /// An offer was accepted.
    case accepted
    /// A person answered, had it assigned, or stepped in.
    case takenOver = "taken_over"
    /// Who had it let it go, to people in general.
    case released
    /// People returned it to a bot.
    case returned
    /// The bot did not answer in time.
    case timeout
    /// The bot said that it failed, or cannot be reached.
    case error
}
