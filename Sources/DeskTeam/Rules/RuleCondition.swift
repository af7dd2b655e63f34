public import DeskJSON
public import DeskModel

/// One thing that must be so for a rule to act, or with `isNot` must not be so.
public struct RuleCondition: Hashable, Sendable {
    /// Most conditions of a rule.
    public static let most = 20
    /// Longest text that is looked for, and longest language, intent and group, in bytes.
    public static let maximumTextBytes = 200

    /// Who answers a conversation.
    public enum Holder: Hashable, Sendable {
        /// None.
        case nobody
        /// Any member.
        case somebody
        /// A member.
        case agent(AgentID)
    }

    /// What is looked at.
    public enum Test: Hashable, Sendable {
        /// The conversation's state.
        case state(ConversationState)
        /// Who answers it.
        case assignee(Holder)
        /// The team that looks after it; nil for none.
        case team(TeamID?)
        /// A label that is on it.
        case label(LabelID)
        /// How urgent it is.
        case priority(Priority)
        /// The customer's language: `ja` is also `ja-JP`.
        case language(String)
        /// The intent of the link by which the customer came.
        case intent(String)
        /// The group of the link by which the customer came.
        case group(String)
        /// Whether the business or the conversation's team answers at that time.
        case isWithinHours(Bool)
        /// That the customer's last score is at most this; never so without one.
        case scoreAtMost(Int)
        /// What the message says: letters as they are, capitals or not.
        case text(String)
        /// What the message is.
        case kind(MessageKind)
        /// Where the message entered.
        case channel(Origin)
    }

    /// What is looked at.
    public let test: Test
    /// Whether it must not be so.
    public let isNot: Bool

    init(_ test: Test, isNot: Bool = false) {
        self.test = test
        self.isNot = isNot
    }

    /// Whether it looks at a message, which only some triggers have.
    public var needsMessage: Bool {
        switch test {
        case .text, .kind, .channel: true
        case .state, .assignee, .team, .label, .priority, .language, .intent, .group,
            .isWithinHours, .scoreAtMost:
            false
        }
    }

    /// Reads `if` as a request states it.
    ///
    /// - Throws: the first thing that is none, with its place.
    public static func list(
        _ value: JSONValue, for trigger: TeamRule.Trigger
    ) throws(TeamActionFault) -> [RuleCondition] {
        guard value.kind == .array, value.count <= most else {
            throw TeamActionFault(
                value, "a list of at most \(most) conditions", "Send if as a JSON array.")
        }
        var conditions: [RuleCondition] = []
        for element in value.elements {
            let condition = try RuleCondition(element)
            guard trigger.hasMessage || !condition.needsMessage else {
                throw TeamActionFault(
                    element, "a condition on the conversation",
                    "\(trigger.rawValue) is no message: text, kind and channel are of messages.")
            }
            conditions.append(condition)
        }
        return conditions
    }

    private static let names = [
        "state", "assignee", "team", "label", "priority", "language", "intent", "group", "hours",
        "text", "kind", "channel", "scoreAtMost",
    ]

    private init(_ value: JSONValue) throws(TeamActionFault) {
        let not = value["not"]
        guard value.kind == .object, value.count == (not == nil ? 1 : 2),
            not.map({ $0.bool != nil }) ?? true,
            let name = Self.names.first(where: { value[$0] != nil }), let content = value[name]
        else {
            throw TeamActionFault(
                value, "an object with one of \(Self.names.joined(separator: ", ")), and not",
                #"Write one condition in each object, such as {"state":"open"}."#)
        }
        self.init(try Self.test(name, content), isNot: not?.bool ?? false)
    }

    private static func test(
        _ name: String, _ content: JSONValue
    ) throws(TeamActionFault) -> Test {
        switch name {
        case "state": .state(try word(content, Array(ConversationState.allCases)))
        case "assignee": .assignee(try holder(content))
        case "team": .team(try content.isNull ? nil : id(content, "a team"))
        case "label": .label(try id(content, "a label"))
        case "priority": .priority(try word(content, Array(Priority.allCases)))
        case "hours": .isWithinHours(try hours(content))
        case "language": .language(try text(content))
        case "intent": .intent(try text(content))
        case "group": .group(try text(content))
        case "scoreAtMost": .scoreAtMost(try score(content))
        case "text": .text(try text(content))
        case "kind": .kind(try word(content, Array(MessageKind.allCases)))
        default: .channel(try word(content, Array(Origin.allCases)))
        }
    }

    private static func holder(_ value: JSONValue) throws(TeamActionFault) -> Holder {
        if value.isNull { return .nobody }
        if value.equals("anybody") { return .somebody }
        return .agent(try id(value, "anybody, null, or a member"))
    }

    private static func score(_ value: JSONValue) throws(TeamActionFault) -> Int {
        guard let score = value.int, Satisfaction.scores.contains(score) else {
            throw TeamActionFault(
                value, "a whole number from 1 to \(Satisfaction.scores.upperBound)",
                "Send one of the scores.")
        }
        return score
    }

    private static func hours(_ value: JSONValue) throws(TeamActionFault) -> Bool {
        if value.equals("within") { return true }
        guard value.equals("outside") else {
            throw TeamActionFault(value, "within or outside", "Send one of these words.")
        }
        return false
    }

    private static func id<ID: UniquelyNamed>(
        _ value: JSONValue, _ what: String
    ) throws(TeamActionFault) -> ID {
        guard let id = value.string.flatMap({ ID($0) }) else {
            throw TeamActionFault(
                value, "the id of \(what)", "Take the id from the business's list.")
        }
        return id
    }

    private static func word<Word: RawRepresentable>(
        _ value: JSONValue, _ words: [Word]
    ) throws(TeamActionFault) -> Word where Word.RawValue == String {
        guard let word = words.first(where: { value.equals($0.rawValue) }) else {
            throw TeamActionFault(
                value, "one of \(words.map(\.rawValue).joined(separator: ", "))",
                "Send one of these words.")
        }
        return word
    }

    private static func text(_ value: JSONValue) throws(TeamActionFault) -> String {
        guard let text = value.string, (1...maximumTextBytes).contains(text.utf8.count) else {
            throw TeamActionFault(
                value, "a text of 1 to \(maximumTextBytes) bytes", "Shorten the text.")
        }
        return text
    }
}
