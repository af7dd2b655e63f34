import DeskEventJSON
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a list shows, as an address or a saved view says it: `me` is the agent who asks.
struct ViewFilter: Hashable, Sendable {
    /// Most labels of one list.
    static let mostLabels = 5
    /// Most attributes of one list.
    static let mostAttributes = 3
    /// Longest language in bytes.
    static let maximumLanguageBytes = 8

    /// Whose conversations.
    enum Care: Hashable {
        /// Everybody's.
        case everybody
        /// The caller's.
        case caller
        /// None, and with no bot.
        case nobody
        /// A bot's, whichever it is.
        case bot
        /// A member's.
        case agent(AgentID)
        /// Those with a note that mentions the caller.
        case mentioning

        /// The word or id in JSON; nil where another member says it, or none.
        var text: String? {
            switch self {
            case .everybody, .mentioning: nil
            case .caller: "me"
            case .nobody: "none"
            case .bot: "bot"
            case .agent(let id): id.text
            }
        }
    }

    /// By whom, or for what, a program looks conversations up.
    struct Lookup: Hashable {
        /// A contact's id, or a customer's opaque one.
        var customer: String?
        /// The contact's name in another system of the business.
        var externalID: String?
        /// What the customer came for.
        var intent: String?
        /// The group of the business that the customer came to.
        var group: String?
        /// Only those with something new after this moment.
        var updatedAfter: Timestamp?

        /// Whether it names a person.
        var isOfPerson: Bool { customer != nil || externalID != nil }
    }

    var state: ConversationState?
    var care = Care.everybody
    var team: TeamID??
    var labels: [LabelID] = []
    var priorities: Set<Priority> = []
    var attributes: [String: AttributeValue] = [:]
    var isWaiting = false
    /// Only those whose answer is due within so many minutes, or overdue; 0 for the overdue ones.
    var dueWithin: Int?
    var channel: ConversationFilter.Channel?
    var language: String?
    var text: String?
    /// What looks single conversations up; no saved view has it.
    var lookup = Lookup()
    var order = ConversationFilter.Order.newest

    /// Whether it names what belongs to one business.
    var namesOfBusiness: Bool {
        if case .some(.some) = team { return true }
        if case .agent = care { return true }
        return !labels.isEmpty || !attributes.isEmpty
    }

    /// Whether only a person has such a list.
    var isOfPerson: Bool { care == .caller || care == .mentioning }

    /// The filter of the store, but for the text; nil where it asks for the caller and that is no person.
    func listed(in businesses: Set<BusinessID>, for caller: AgentID?) -> ConversationFilter? {
        var filter = ConversationFilter(businesses: businesses)
        switch (care, caller) {
        case (.everybody, _): break
        case (.nobody, _): filter.care = .unassigned
        case (.bot, _): filter.care = .withBot
        case (.agent(let id), _): filter.care = .mine(id)
        case (.caller, let id?): filter.care = .mine(id)
        case (.mentioning, let id?): filter.care = .mentioning(id)
        case (.caller, nil), (.mentioning, nil): return nil
        }
        // Only open conversations wait, or have an answer that is due.
        filter.states = isWaiting || dueWithin != nil ? [.open] : state.map { [$0] }
        filter.team = team
        filter.labels = labels
        filter.priorities = priorities
        filter.attributes = attributes
        filter.channel = channel
        filter.language = language
        filter.intent = lookup.intent
        filter.group = lookup.group
        filter.order = order
        return filter
    }

    /// The JSON that is stored, with what narrows the list and nothing else.
    var stored: [UInt8] {
        JSONWriter.object { text in
            if let state { text.member("state", state.rawValue) }
            if let assignee = care.text { text.member("assignee", assignee) }
            if care == .mentioning { text.member("mentions", true) }
            switch team {
            case nil: break
            case .some(nil): text.member("team", "none")
            case .some(let id?): text.member("team", id.text)
            }
            if !labels.isEmpty {
                text.member("labels") { text in
                    text.array { for label in labels { $0.string(label.text) } }
                }
            }
            if !priorities.isEmpty {
                text.member("priorities") { text in
                    text.array { list in
                        for one in Priority.allCases where priorities.contains(one) {
                            list.string(one.rawValue)
                        }
                    }
                }
            }
            if !attributes.isEmpty { text.member("attributes") { $0.attributes(attributes) } }
            if isWaiting { text.member("waiting", true) }
            if let dueWithin { text.member("dueWithin", dueWithin) }
            if let channel { text.member("channel", channel.rawValue) }
            if let language { text.member("language", language) }
            if let words = self.text { text.member("text", words) }
            if order != .newest { text.member("sort", order.rawValue) }
        }
    }
}

extension ViewFilter {
    /// Reads the JSON of a view.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue) throws(Problem) {
        var fields = try Fields(value)
        state = fields.word("state", ConversationState.self)
        readCare(&fields)
        readTeam(&fields)
        labels = Self.list(&fields, "labels", most: Self.mostLabels, "ids of labels") {
            LabelID($0)
        }
        priorities = Set(
            Self.list(
                &fields, "priorities", most: Priority.allCases.count, "words of priorities"
            ) { Priority(rawValue: $0) })
        if let value = fields.value("attributes"), !value.isNull {
            attributes = Self.attributes(value, &fields)
        }
        isWaiting = fields.claim("waiting") ?? false
        if isWaiting, let state, state != .open {
            fields.note(
                "state", "open together with waiting",
                "Leave state out: only open conversations wait.")
        }
        dueWithin = fields.number("dueWithin", 0...ServiceLevels.longestMinutes)
        if dueWithin != nil { noteApart(&fields) }
        channel = fields.word("channel", ConversationFilter.Channel.self)
        language = fields.text("language", bytes: 2...Self.maximumLanguageBytes)
        if let word = language, !Self.isLanguage(word) {
            fields.note(
                "language", "a language as ja or en", "Send the letters of one language.")
        }
        text = fields.text("text", bytes: 1...SearchQuery.maximumBytes)
        if let text, (try? SearchQuery(text)) == nil {
            fields.note(
                "text", "letters or digits, at most \(SearchQuery.maximumTerms) words",
                "Send words to look for.")
        }
        order = fields.word("sort", ConversationFilter.Order.self) ?? .newest
        if isWaiting, order != .newest {
            fields.note(
                "sort", "no sort together with waiting", "The longest waiter comes first.")
        }
        try fields.finish()
    }

    /// Notes what cannot be together with `dueWithin`.
    private func noteApart(_ fields: inout Fields) {
        if let state, state != .open {
            fields.note(
                "state", "open together with dueWithin",
                "Leave state out: only open conversations have an answer that is due.")
        }
        if isWaiting {
            fields.note(
                "waiting", "no waiting together with dueWithin",
                "Leave waiting out: who is to be answered waits.")
        }
        if fields.value("sort").map({ !$0.isNull }) == true {
            fields.note(
                "sort", "no sort together with dueWithin", "What is due first comes first.")
        }
    }

    /// Whether a text is the name of a language: lower-case letters.
    static func isLanguage(_ text: String) -> Bool {
        (2...maximumLanguageBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private mutating func readCare(_ fields: inout Fields) {
        let isOfMentions = fields.claim("mentions") ?? false
        if isOfMentions { care = .mentioning }
        guard let word = fields.text("assignee", bytes: 1...64) else { return }
        if isOfMentions {
            fields.note("assignee", "no assignee together with mentions", "Send either of the two.")
            return
        }
        switch word {
        case "me": care = .caller
        case "none": care = .nobody
        case "bot": care = .bot
        default:
            if let id = AgentID(word) {
                care = .agent(id)
            } else {
                fields.note("assignee", "me, none, bot or the id of a member", "Send one of these.")
            }
        }
    }

    private mutating func readTeam(_ fields: inout Fields) {
        guard let word = fields.text("team", bytes: 1...64) else { return }
        if word == "none" {
            team = .some(nil)
        } else if let id = TeamID(word) {
            team = .some(id)
        } else {
            fields.note("team", "none or the id of a team", "Send one of these.")
        }
    }

    private static func list<Element: Equatable>(
        _ fields: inout Fields, _ name: String, most: Int, _ words: String,
        _ read: (String) -> Element?
    ) -> [Element] {
        guard let value = fields.value(name), !value.isNull else { return [] }
        guard value.kind == .array, value.count <= most else {
            fields.note(.value, value, "an array of at most \(most) \(words)", "Send fewer.")
            return []
        }
        var found: [Element] = []
        for element in value.elements {
            guard let one = element.string.flatMap(read) else {
                fields.note(.value, element, words, "Send one that there is.")
                continue
            }
            if !found.contains(one) { found.append(one) }
        }
        return found
    }

    /// The values of an object by their keys; faults are findings.
    static func attributes(
        _ value: JSONValue, _ fields: inout Fields
    ) -> [String: AttributeValue] {
        guard value.kind == .object, value.count <= mostAttributes else {
            fields.note(
                .value, value, "an object of at most \(mostAttributes) attributes", "Send fewer.")
            return [:]
        }
        var found: [String: AttributeValue] = [:]
        for member in value.members {
            let given =
                member.value.string.map { AttributeValue.text($0) }
                ?? member.value.double.map { .number($0) }
            guard AttributeDefinition.isKey(member.key), let given else {
                fields.note(
                    .value, member.value, "a text or a number under the key of an attribute",
                    "Send the value that conversations have.")
                continue
            }
            found[member.key] = given
        }
        return found
    }
}
