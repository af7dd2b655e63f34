import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// The order of a list, and the place in it after which a page begins.
enum ListPlace {
    /// By the newest event, newest first.
    case activity(Position?)
    /// By the time since which the customer waits, longest first.
    case waiting(WaitingPlace?)
    /// By the time at which the answer is due, the earliest first.
    case due(WaitingPlace?)

    /// What `next` says of a page that ends with a conversation.
    func next(after last: Conversation) -> String? {
        switch self {
        case .activity: String(last.activity.value)
        case .waiting: WaitingPlace(last).map(Self.text)
        case .due: WaitingPlace(due: last).map(Self.text)
        }
    }

    private static func text(_ place: WaitingPlace) -> String {
        "\(place.since.milliseconds).\(place.conversation.text)"
    }

    /// Reads what `next` said of a list of those who wait.
    static func readWaiting(_ text: String) -> WaitingPlace? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = DecimalText.number(String(parts[0])),
            let id = ConversationID(String(parts[1]))
        else { return nil }
        return WaitingPlace(since: Timestamp(milliseconds: Int64(time)), conversation: id)
    }
}

/// The query parameters of a list of conversations.
struct ListParameters {
    private enum Care: String, CaseIterable {
        case all, mine, unassigned, mentions
    }

    private enum Truth: String, CaseIterable {
        case `true`, `false`
    }

    /// The parameters that say what a list shows.
    static let names = [
        "filter", "state", "assignee", "team", "label", "priority", "attributes", "waiting",
        "channel", "language", "text", "sort", "due", "dueWithin",
        "filter[customer]", "filter[externalId]", "filter[intent]",
    ]

    private let context: RequestContext
    private var query: Query { context.request.query }
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Which conversations are listed, and of which businesses: a saved view's, or what the other
    /// parameters say.
    func view() async throws(Problem) -> (ViewFilter, Set<BusinessID>) {
        guard let text = query["view"] else { return (try filter(), context.businesses) }
        guard !query.items.contains(where: { Self.names.contains($0.name) }) else {
            throw Problem(
                parameter: "view", in: query, allowed: "view without what narrows a list",
                fix: "Send either of the two.")
        }
        guard let id = SavedViewID(text),
            let view = try await services.findView(
                id, of: context.signedIn, in: context.businesses)
        else {
            throw Problem(
                parameter: "view", in: query, allowed: "the id of a saved view",
                fix: "Take the id from GET /api/views/saved.")
        }
        return (
            try view.read(), view.business.map { [$0] } ?? context.businesses
        )
    }

    private func filter() throws(Problem) -> ViewFilter {
        var filter = ViewFilter()
        filter.care = try care()
        filter.team = try team()
        filter.labels = try labels()
        filter.priorities = try priorities()
        filter.attributes = try attributes()
        filter.channel = try query.word("channel", ConversationFilter.Channel.self)
        filter.language = try language()
        filter.text = try text()
        filter.lookup = try lookup()
        filter.order = try query.word("sort", ConversationFilter.Order.self) ?? .newest
        filter.dueWithin = try dueWithin()
        if let word = query["state"], word != "any" {
            guard let state = ConversationState(rawValue: word) else {
                throw Problem(
                    parameter: "state", in: query,
                    allowed: "open, pending, snoozed, closed or any")
            }
            filter.state = state
        }
        if try isWaiting() {
            guard filter.state ?? .open == .open else {
                throw Problem(
                    parameter: "state", in: query,
                    allowed: "open or any together with waiting=true",
                    fix: "Leave state out: only open conversations wait.")
            }
            guard filter.order == .newest else {
                throw Problem(
                    parameter: "sort", in: query, allowed: "no sort together with waiting=true",
                    fix: "Leave sort out: the longest waiter comes first.")
            }
            filter.isWaiting = true
        }
        return filter
    }

    private func team() throws(Problem) -> TeamID?? {
        guard let text = query["team"] else { return nil }
        if text == "none" { return .some(nil) }
        guard let team = TeamID(text) else {
            throw Problem(parameter: "team", in: query, allowed: "none or the id of a team")
        }
        return .some(team)
    }

    private func labels() throws(Problem) -> [LabelID] {
        guard let text = query["label"] else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { LabelID($0) }
        guard ids.count <= ViewFilter.mostLabels, ids.allSatisfy({ $0 != nil }) else {
            throw Problem(
                parameter: "label", in: query,
                allowed: "ids of labels with commas, at most \(ViewFilter.mostLabels)")
        }
        var labels: [LabelID] = []
        for id in ids.compactMap(\.self) where !labels.contains(id) { labels.append(id) }
        return labels
    }

    private func priorities() throws(Problem) -> Set<Priority> {
        guard let text = query["priority"] else { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Priority(rawValue: String($0)) }
        guard words.allSatisfy({ $0 != nil }) else {
            throw Problem(
                parameter: "priority", in: query,
                allowed: Priority.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", or several with commas")
        }
        return Set(words.compactMap(\.self))
    }

    private func attributes() throws(Problem) -> [String: AttributeValue] {
        guard let text = query["attributes"] else { return [:] }
        let problem = Problem(
            parameter: "attributes", in: query,
            allowed:
                "a JSON object of at most \(ViewFilter.mostAttributes) attributes with their values",
            fix: #"Write {"tier":"gold"}."#)
        guard let value = JSONValue.parsed(Array(text.utf8)) else { throw problem }
        do {
            var fields = try Fields(value)
            let found = ViewFilter.attributes(value, &fields)
            guard found.count == value.count else { throw problem }
            return found
        } catch {
            throw problem
        }
    }

    private func language() throws(Problem) -> String? {
        guard let word = query["language"] else { return nil }
        guard ViewFilter.isLanguage(word) else {
            throw Problem(parameter: "language", in: query, allowed: "a language as ja or en")
        }
        return word
    }

    private func text() throws(Problem) -> String? {
        guard let text = query["text"] else { return nil }
        guard (try? SearchQuery(text)) != nil else {
            throw Problem(
                parameter: "text", in: query,
                allowed: "letters or digits, at most \(SearchQuery.maximumBytes) bytes and "
                    + "\(SearchQuery.maximumTerms) words",
                fix: "Send words to look for.")
        }
        return text
    }

    private func lookup() throws(Problem) -> ViewFilter.Lookup {
        ViewFilter.Lookup(
            customer: try query.nonEmpty("filter[customer]", "the id of a contact or a customer"),
            externalID: try query.nonEmpty(
                "filter[externalId]", "the externalId of a contact",
                bytes: Contact.maximumExternalIDBytes),
            intent: try query.nonEmpty("filter[intent]", "the intent of an entry link"))
    }

    private func dueWithin() throws(Problem) -> Int? {
        guard query["dueWithin"] != nil else { return nil }
        let allowed = "minutes from 0, for the overdue ones, to \(ServiceLevels.longestMinutes)"
        let minutes = try query.number("dueWithin", allowed: allowed)
        guard let minutes, minutes <= ServiceLevels.longestMinutes else {
            throw Problem(parameter: "dueWithin", in: query, allowed: allowed)
        }
        try requireApart(from: "dueWithin")
        return Int(minutes)
    }

    private func requireApart(from due: String) throws(Problem) {
        for name in ["state", "waiting", "sort"] + (due == "due" ? ["dueWithin"] : ["due"])
        where query[name] != nil {
            throw Problem(
                parameter: name, in: query, allowed: "no \(name) together with \(due)",
                fix: "Leave \(name) out: open conversations are listed by when they are due.")
        }
    }

    /// The list's order and the page's place in it.
    func place(in view: ViewFilter) throws(Problem) -> ListPlace {
        let allowed = "what the last page's next said"
        let isOfBreaking = try isDue()
        let isDue = view.dueWithin != nil || isOfBreaking
        guard view.isWaiting || isDue else {
            return .activity(
                try query.number("page[after]", allowed: allowed).map { Position($0) })
        }
        guard let text = query["page[after]"] else { return isDue ? .due(nil) : .waiting(nil) }
        guard let place = ListPlace.readWaiting(text) else {
            throw Problem(parameter: "page[after]", in: query, allowed: allowed)
        }
        return isDue ? .due(place) : .waiting(place)
    }

    private func isDue() throws(Problem) -> Bool {
        guard try query.word("due", Truth.self) == .true else { return false }
        try requireApart(from: "due")
        return true
    }

    private func isWaiting() throws(Problem) -> Bool {
        try query.word("waiting", Truth.self) == .true
    }

    private func care() throws(Problem) -> ViewFilter.Care {
        let word = try query.word("filter", Care.self)
        guard let assignee = query["assignee"] else {
            switch word ?? .all {
            case .all: return .everybody
            case .unassigned: return .nobody
            case .mine, .mentions:
                guard context.signedIn != nil else { throw .onlyPersons(query) }
                return word == .mine ? .caller : .mentioning
            }
        }
        guard word == nil else {
            throw Problem(
                parameter: "assignee", in: query, allowed: "without filter",
                fix: "Send either of the two.")
        }
        if assignee == "none" { return .nobody }
        if assignee == "me", context.signedIn != nil { return .caller }
        guard let agent = AgentID(assignee) else {
            throw Problem(
                parameter: "assignee", in: query,
                allowed: context.signedIn == nil
                    ? "none or the id of a member" : "me, none or the id of a member")
        }
        return .agent(agent)
    }
}

extension Query {
    /// A text of some bytes; nil when it is absent.
    fileprivate func nonEmpty(
        _ name: String, _ allowed: String, bytes: Int = 1_024
    ) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard (1...bytes).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw Problem(
                parameter: name, in: self, allowed: "\(allowed), 1 to \(bytes) bytes")
        }
        return text
    }
}

extension Problem {
    /// The refusal of a list that only a person has.
    static func onlyPersons(_ query: Query) -> Problem {
        Problem(
            parameter: query["view"] == nil ? "filter" : "view", in: query,
            allowed: "unassigned or all: only a signed-in agent has conversations and is mentioned")
    }
}
