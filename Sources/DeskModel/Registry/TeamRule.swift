/// What a business has done to its conversations by itself: when something happens, if all is so, then
/// these actions.
public struct TeamRule: Hashable, Sendable {
    /// Most rules of a business.
    public static let most = 100
    /// Longest name in bytes.
    public static let maximumNameBytes = 120
    /// Highest place in the order.
    public static let highestOrder = 10_000

    /// What a rule waits for.
    public enum Trigger: String, Sendable, CaseIterable {
        /// A customer wrote the first message.
        case conversationBegun
        /// A customer wrote.
        case customerMessage
        /// The business wrote.
        case messageSent
        /// A conversation was assigned to an agent.
        case assigned
        /// A conversation was given to a team, or removed from it.
        case teamChanged
        /// A label was put on a conversation.
        case labelAdded
        /// A conversation was closed.
        case closed
        /// A conversation was opened again, by a person, a program or the customer.
        case reopened
        /// A snoozed conversation woke at its time.
        case snoozeEnded
        /// A conversation's priority was changed.
        case priorityChanged
        /// A customer said how satisfied they are.
        case satisfactionAnswered
        /// The first answer of a conversation is overdue by the service levels.
        case firstAnswerOverdue
        /// A further answer is overdue by the service levels.
        case nextAnswerOverdue

        /// Whether a message is what happened.
        public var hasMessage: Bool {
            switch self {
            case .conversationBegun, .customerMessage, .messageSent: true
            case .assigned, .teamChanged, .labelAdded, .closed, .reopened, .snoozeEnded,
                .priorityChanged, .satisfactionAnswered, .firstAnswerOverdue, .nextAnswerOverdue:
                false
            }
        }
    }

    /// Its name for ever.
    public let id: TeamRuleID
    /// Whose conversations it is for.
    public let business: BusinessID
    /// What people call it.
    public var name: String
    /// Whether it acts.
    public var isOn: Bool
    /// Its place: rules with a lower one act first.
    public var order: Int
    /// What it waits for.
    public var trigger: Trigger
    /// What must be so, a JSON array's text.
    public var conditions: [UInt8]
    /// What it does, a JSON array's text.
    public var actions: [UInt8]

    /// Describes a rule.
    public init(
        id: TeamRuleID, business: BusinessID, name: String, isOn: Bool, order: Int,
        trigger: Trigger, conditions: [UInt8], actions: [UInt8]
    ) {
        self.id = id
        self.business = business
        self.name = name
        self.isOn = isOn
        self.order = order
        self.trigger = trigger
        self.conditions = conditions
        self.actions = actions
    }
}

/// A rule as the author of what it does, with what led to it.
public struct RuleMark: Hashable, Sendable {
    /// Rules that lead to each other at most; what the last of them does leads to nothing.
    public static let longestChain = 5

    /// Which rule.
    public let id: TeamRuleID
    /// What people called it then.
    public let name: String
    /// The rules whose deeds led to it, the first one first.
    public let causes: [TeamRuleID]
    /// The event that no rule made, with which it began.
    public let root: Position

    /// Puts a mark together.
    public init(id: TeamRuleID, name: String, causes: [TeamRuleID], root: Position) {
        self.id = id
        self.name = name
        self.causes = causes
        self.root = root
    }

    /// The rules up to and with this one.
    public var chain: [TeamRuleID] { causes + [id] }

    /// The mark as one text; `init(text:)` reads it.
    public var text: String {
        let ids = chain.map(\.text).joined(separator: ",")
        return "\(root.value) \(ids) \(name)"
    }

    /// Reads what `text` wrote; nil for anything else.
    public init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let root = Int64(parts[0]), root >= 0 else { return nil }
        let chain = parts[1].split(separator: ",").map { TeamRuleID(String($0)) }
        let known = chain.compactMap(\.self)
        guard known.count == chain.count, (1...Self.longestChain).contains(known.count),
            let id = known.last
        else { return nil }
        self.init(
            id: id, name: String(parts[2]), causes: Array(known.dropLast()), root: Position(root))
    }
}

/// What a rule made of an event: a rule acts on an event once.
public struct RuleAct: Hashable, Sendable {
    /// Entries of the log that are kept of a business; older ones are forgotten.
    public static let mostOfBusiness = 1_000
    /// Times that rules act because of one event at most, chains included; the log has one entry more, which
    /// says that it ended there.
    public static let mostOfRoot = 100

    /// The rule and the event; it is there once.
    public struct Name: Hashable, Sendable {
        /// The rule.
        public let rule: TeamRuleID
        /// The position of the event.
        public let event: Position

        /// Puts the two together.
        public init(_ rule: TeamRuleID, on event: Position) {
            self.rule = rule
            self.event = event
        }
    }

    /// What came of it.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Something was changed or sent.
        case done
        /// Everything was so already.
        case unchanged
        /// An action was refused, so nothing was done.
        case refused
        /// The chain of rules was as long as it may be, so nothing was done.
        case chainEnded
        /// The event had led to as much as it may, so nothing more was done.
        case tooMany
    }

    /// The rule and the event.
    public let name: Name
    /// Whose rule it is.
    public let business: BusinessID
    /// What people called the rule then.
    public let ruleName: String
    /// The conversation.
    public let conversation: ConversationID
    /// What the rule waited for.
    public let trigger: TeamRule.Trigger
    /// The event that no rule made, with which it began.
    public let root: Position
    /// When.
    public let time: Timestamp
    /// What came of it.
    public let outcome: Outcome
    /// Why and what, a JSON object's text; nothing of it is a customer's.
    public let data: [UInt8]

    /// Puts an entry together.
    public init(
        _ name: Name, of business: BusinessID, named ruleName: String,
        in conversation: ConversationID, trigger: TeamRule.Trigger, root: Position,
        at time: Timestamp, _ outcome: Outcome, data: [UInt8]
    ) {
        self.name = name
        self.business = business
        self.ruleName = ruleName
        self.conversation = conversation
        self.trigger = trigger
        self.root = root
        self.time = time
        self.outcome = outcome
        self.data = data
    }
}

/// An entry of the log of rules with its place there.
public struct NumberedRuleAct: Hashable, Sendable {
    /// Its place; newer entries have higher ones.
    public let number: Int64
    /// The entry.
    public let act: RuleAct

    /// Puts the two together.
    public init(_ number: Int64, _ act: RuleAct) {
        self.number = number
        self.act = act
    }
}
