public import DeskMessages

/// What some customers do one after the other, as it was written down.
public struct CustomerScript: Hashable, Sendable {
    /// Longest script in bytes; one more is refused.
    public static let maximumBytes = 64 * 1_024
    /// Most steps; one more is refused.
    public static let maximumSteps = 1_000
    /// Most customers; one more is refused.
    public static let maximumCustomers = 100

    /// What everything that is made up is made from.
    public var seed: UInt64
    /// Everybody who appears, in the order in which they do.
    public var customers: [ScriptedPerson]
    /// What happens, in order.
    public var steps: [ScriptStep]

    /// Puts a script together.
    public init(seed: UInt64 = 1, customers: [ScriptedPerson] = [], steps: [ScriptStep] = []) {
        self.seed = seed
        self.customers = customers
        self.steps = steps
    }
}

/// One customer of a script.
public struct ScriptedPerson: Hashable, Sendable {
    /// What the script calls them: letters, digits, `-` and `_`.
    public let name: String
    /// Their language and region, such as `ja_JP`.
    public var locale: String?
    /// What the link that they come by says about their concern.
    public var intent: String?
    /// Whom that link leads to.
    public var group: String?

    /// Describes a customer.
    public init(
        name: String, locale: String? = nil, intent: String? = nil, group: String? = nil
    ) {
        self.name = name
        self.locale = locale
        self.intent = intent
        self.group = group
    }
}

/// One line of a script: who does what.
public struct ScriptStep: Hashable, Sendable {
    /// How long somebody waits for the business, in real time, where the script does not say.
    public static let patience = Duration.seconds(10)
    /// The longest that a step may wait so.
    public static let longestPatience = Duration.seconds(60)

    /// What a customer can do.
    public enum Action: Hashable, Sendable {
        /// Writes.
        case says(String)
        /// Answers the newest card with items, by identifier or title.
        case picks([String])
        /// Answers the newest form, page by page.
        case fills([PageAnswer])
        /// Pays the newest request; with a status it ends so, whatever the provider would say.
        case pays(status: String?)
        /// Closes the sheet of the newest payment request.
        case cancelsPayment
        /// Answers the newest sign-in request: signs in under a name, or does not.
        case signsIn(SignInOutcome, name: String)
        /// Sends a file of these words under this name.
        case attaches(name: String, text: String)
        /// Reacts to the newest message of the business that holds the words, or to the newest.
        case reacts(Reaction, to: String?)
        /// Deletes the conversation.
        case deletes
        /// Lets time pass on the virtual clock.
        case waits(Duration)
        /// Does no more, once the time is over or at all.
        case goesSilent(Duration?)
        /// Waits until the business has sent something like this.
        case expects(ExpectedMessage, within: Duration)
    }

    /// The answer to one page of a form.
    public struct PageAnswer: Hashable, Sendable {
        /// The page's identifier.
        public let page: String
        /// Identifiers or titles of items, or the one text that is typed.
        public let values: [String]

        /// Puts the two together.
        public init(page: String, values: [String]) {
            self.page = page
            self.values = values
        }
    }

    /// A reaction to a message.
    public enum Reaction: Hashable, Sendable {
        /// One of the six that every device has.
        case word(Tapback)
        /// Any emoji.
        case emoji(String)

        /// The six.
        public static let words: [Tapback] = [
            .loved, .liked, .disliked, .laughed, .emphasized, .questioned,
        ]
    }

    /// The line in the script, counted from 1.
    public let line: Int
    /// Who does it, as an index into the script's customers.
    public let person: Int
    /// What is done.
    public let action: Action

    /// Puts a step together.
    public init(line: Int, person: Int, action: Action) {
        self.line = line
        self.person = person
        self.action = action
    }
}
