public import DeskModel

/// The bots of businesses, and who controls their conversations; both are changed through the log.
public protocol BotRegistry: Sendable {
    /// Lists the bots of a business in the order in which they were registered, retired ones included.
    ///
    /// Limit: `Bot.most`.
    func bots(of business: BusinessID) async throws(StoreError) -> [Bot]
    /// Finds the bot that a key is, also by a key that came before or after the bot's; nil for a key that is none.
    func findBot(with key: KeyID, of business: BusinessID) async throws(StoreError) -> Bot?
    /// When the program of each bot of a business asked for something last, with the bot's key or one that came
    /// before or after it, as far as its requests are kept; bots without one are left out.
    func lastRequests(ofBotsOf business: BusinessID) async throws(StoreError) -> [BotID: Timestamp]
    /// Finds who controls a conversation; nil where no bot ever did.
    func findControl(of conversation: ConversationID) async throws(StoreError) -> Control?
    /// Lists conversations whose bot was to answer by a moment, those that are due longest first.
    ///
    /// - Parameter last: the last one of the page before; nil for the first page.
    func overdueControls(
        until time: Timestamp, after last: Control?, limit: Int
    ) async throws(StoreError) -> [Control]
}

/// Registers a bot of a business, or changes what is named of one.
///
/// Refused as `notFound` without the business or the bot, as `nameTaken` when another bot of the business has the
/// name or the key, and as `unusable` for one bot too many.
public struct SaveBot: WriteStep {
    /// What is made or changed; what is nil stays as it is.
    public struct Values: Hashable, Sendable {
        /// The name.
        public var name: String?
        /// The key that it sends with.
        public var key: KeyID?
        /// The endpoint that it hears by, or with an inner nil none.
        public var webhook: WebhookID??
        /// The seconds that it has for an answer.
        public var answerSeconds: Int?
        /// Whether new conversations are its own at first.
        public var isFirst: Bool?
        /// The intents for which it is first.
        public var intents: [String]?
        /// Whether it is given no further conversation.
        public var isRetired: Bool?

        /// Changes nothing.
        public init() {}
    }

    let id: BotID
    let business: BusinessID
    let isNew: Bool
    let values: Values
    let author: Author
    let time: Timestamp

    /// Says who registers or changes what; a new one needs a name and a key.
    public init(
        _ id: BotID, of business: BusinessID, isNew: Bool, _ values: Values, by author: Author,
        at time: Timestamp
    ) {
        self.id = id
        self.business = business
        self.isNew = isNew
        self.values = values
        self.author = author
        self.time = time
    }

    /// Answers with the bot as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Bot {
        try decision.save(self)
    }
}

/// Passes control of a conversation, offers it, accepts an offer, steps in or releases.
///
/// Refused as `notFound` without the conversation, as `unusable` in a business without bots and where control cannot
/// go to who is named, and as `notInControl` for a bot that has no control, and for who accepts what was not offered
/// to them.
public struct ChangeControl: WriteStep {
    /// What is done.
    public enum Action: String, Sendable, CaseIterable {
        /// Who is named has control at once.
        case pass
        /// Who is named may accept it.
        case offer
        /// The author accepts an offer.
        case accept
        /// A person has control at once.
        case take
        /// No one in particular has it: people, none of them in particular.
        case release
    }

    let conversation: ConversationID
    let action: Action
    let target: Controller?
    let isFailure: Bool
    let metadata: [UInt8]?
    let note: NoteID?
    let permitted: Set<Role>
    let author: Author
    let time: Timestamp

    /// Says who does what.
    ///
    /// - Parameters:
    ///   - target: to whom it is passed or offered; nil for people.
    ///   - isFailure: whether a bot passes it on because it failed.
    ///   - metadata: what is left for the next, as a JSON object's text; nil leaves what there is.
    ///   - note: the note with the summary, of the same commit.
    ///   - permitted: the roles whose members it can be passed or offered to, as the table of permissions has
    ///     them.
    public init(
        _ action: Action, of conversation: ConversationID, to target: Controller? = nil,
        isFailure: Bool = false, metadata: [UInt8]? = nil, note: NoteID? = nil,
        permitted: Set<Role> = [], by author: Author, at time: Timestamp
    ) {
        self.permitted = permitted
        self.conversation = conversation
        self.action = action
        self.target = target
        self.isFailure = isFailure
        self.metadata = metadata
        self.note = note
        self.author = author
        self.time = time
    }

    /// Answers with who controls it then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Control {
        try decision.change(self)
    }

    /// The one whose control is changed.
    public var neededConversation: ConversationID? { conversation }
}

/// Hands a conversation to people because its bot did not answer in time.
///
/// Refused as `notFound` where the bot answered meanwhile, or is to answer by another moment.
public struct EndBotWait: WriteStep {
    let control: Control
    let time: Timestamp

    /// Says what is overdue, as it was read.
    public init(_ control: Control, at time: Timestamp) {
        self.control = control
        self.time = time
    }

    /// Hands it over, or forgets the moment where no customer waits any more.
    public func decide(by decision: inout GroupDecision) throws(Undecided) {
        try decision.end(self)
    }

    /// The conversation.
    public var neededConversation: ConversationID? { control.conversation }
}
