public import DeskMessages

/// A parsed script: the actions of some customers, in order.
public struct CustomerScript: Hashable, Sendable {
    /// Longest script in bytes; one more is refused.
    public static let maximumBytes = 64 * 1_024
    /// Most steps; one more is refused.
    public static let maximumSteps = 1_000
    /// Most customers; one more is refused.
    public static let maximumCustomers = 100

    /// The seed of all generated values.
    public var seed: UInt64
    /// Whether the script sets the seed itself.
    public var hasOwnSeed = false
    /// The customers, in order of appearance.
    public var customers: [ScriptedPerson]
    /// The steps, in order.
    public var steps: [ScriptStep]

    /// Puts a script together.
    public init(seed: UInt64 = 1, customers: [ScriptedPerson] = [], steps: [ScriptStep] = []) {
        self.seed = seed
        self.customers = customers
        self.steps = steps
    }

    /// The lines of a script's text without the spaces around them, as its steps count them from 1.
    public static func lines(of text: String) -> [String] {
        ScriptParser.lines(of: text).map { line in
            var line = line
            while line.first == " " || line.first == "\t" { line.removeFirst() }
            while line.last == " " || line.last == "\t" { line.removeLast() }
            return String(line)
        }
    }
}

/// One customer of a script.
public struct ScriptedPerson: Hashable, Sendable {
    /// The customer's name in the script: letters, digits, `-` and `_`.
    public let name: String
    /// Their language and region, such as `ja_JP`.
    public var locale: String?
    /// The intent of the customer's entry link.
    public var intent: String?
    /// The group of the customer's entry link.
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

/// One line of a script: an action of one customer.
public struct ScriptStep: Hashable, Sendable {
    /// The longest time that a script may set.
    public static let longestPatience = Duration.seconds(60)

    /// What a customer can do.
    public enum Action: Hashable, Sendable {
        /// Writes.
        case says(String)
        /// Answers the newest card with items, by identifier or title.
        case picks([String])
        /// Answers the newest form, page by page.
        case fills([PageAnswer])
        /// Pays the newest request; a status overrides the provider's result.
        case pays(status: String?)
        /// Closes the sheet of the newest payment request.
        case cancelsPayment
        /// Answers the newest sign-in request: signs in under a name, or does not.
        case signsIn(SignInOutcome, name: String)
        /// Sends a file with this text under this name.
        case attaches(name: String, text: String)
        /// Reacts to the newest message of the business that holds the words, or to the newest.
        case reacts(Reaction, to: String?)
        /// Deletes the conversation.
        case deletes
        /// Lets time pass.
        case waits(Duration)
        /// Pauses for the time, or does nothing more.
        case goesSilent(Duration?)
        /// Waits until the business has sent a message that meets the expectation; nil for as long as
        /// the server lets a step wait.
        case expects(ExpectedMessage, within: Duration?)
    }

    /// The answer to one page of a form.
    public struct PageAnswer: Hashable, Sendable {
        /// The page's identifier.
        public let page: String
        /// Identifiers or titles of items, or the one typed text.
        public let values: [String]

        /// Puts the two together.
        public init(page: String, values: [String]) {
            self.page = page
            self.values = values
        }
    }

    /// A reaction to a message.
    public enum Reaction: Hashable, Sendable {
        /// One of the six that every device offers.
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
    /// The acting customer, as an index into the script's customers.
    public let person: Int
    /// The action.
    public let action: Action

    /// Puts a step together.
    public init(line: Int, person: Int, action: Action) {
        self.line = line
        self.person = person
        self.action = action
    }
}
