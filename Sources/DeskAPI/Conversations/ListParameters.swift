import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// The order of a list, and where in it a page lies.
enum ListPlace {
    /// By the newest event, newest first.
    case activity(PageEdge<Position>)
    /// By the time since which the customer waits, longest first.
    case waiting(PageEdge<WaitingPlace>)
    /// By the time at which the answer is due, the earliest first.
    case due(PageEdge<WaitingPlace>)

    /// Writes what asks for the pages beside one.
    func write(_ page: Page<Conversation>, to text: inout JSONWriter) {
        let (first, last) = (page.elements.first, page.elements.last)
        switch self {
        case .activity(let edge):
            text.page(
                edge, hasMore: page.hasMore, first: first.map { String($0.activity.value) },
                last: last.map { String($0.activity.value) })
        case .waiting(let edge):
            text.page(
                edge, hasMore: page.hasMore,
                first: first.flatMap { WaitingPlace($0) }.map(Self.text),
                last: last.flatMap { WaitingPlace($0) }.map(Self.text))
        case .due(let edge):
            text.page(
                edge, hasMore: page.hasMore,
                first: first.flatMap { WaitingPlace(due: $0) }.map(Self.text),
                last: last.flatMap { WaitingPlace(due: $0) }.map(Self.text))
        }
    }

    /// What names a place in a list of those who wait.
    static func text(_ place: WaitingPlace) -> String {
        "\(place.since.milliseconds).\(place.conversation.text)"
    }

    /// Reads what `text` wrote.
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
    static let names =
        (formerlyBare + ["mentions", "updatedAfter", "customer", "externalId", "intent", "group"])
        .map { "filter[\($0)]" } + ["filter", "sort"]

    /// What was sent without `filter[…]` around it before.
    private static let formerlyBare = [
        "state", "assignee", "team", "label", "priority", "attributes", "waiting", "channel",
        "language", "text", "due", "dueWithin",
    ]

    /// The names of today by those.
    static let older = Dictionary(
        uniqueKeysWithValues: formerlyBare.map { ($0, "filter[\($0)]") })

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
        filter.channel = try query.word("filter[channel]", ConversationFilter.Channel.self)
        filter.language = try language()
        filter.text = try text()
        filter.lookup = try lookup()
        filter.order = try query.word("sort", ConversationFilter.Order.self) ?? .newest
        filter.dueWithin = try dueWithin()
        if let word = query["filter[state]"], word != "any" {
            guard let state = ConversationState(rawValue: word) else {
                throw Problem(
                    parameter: "filter[state]", in: query,
                    allowed: "open, pending, snoozed, closed or any")
            }
            filter.state = state
        }
        if try isWaiting() {
            let waiting = query.sentName(of: "filter[waiting]")
            guard filter.state ?? .open == .open else {
                throw Problem(
                    parameter: "filter[state]", in: query,
                    allowed: "open or any together with \(waiting)=true",
                    fix: "Leave it out: only open conversations wait.")
            }
            guard filter.order == .newest else {
                throw Problem(
                    parameter: "sort", in: query,
                    allowed: "no sort together with \(waiting)=true",
                    fix: "Leave sort out: the longest waiter comes first.")
            }
            filter.isWaiting = true
        }
        return filter
    }

    private func team() throws(Problem) -> TeamID?? {
        guard let text = query["filter[team]"] else { return nil }
        if text == "none" { return .some(nil) }
        guard let team = TeamID(text) else {
            throw Problem(parameter: "filter[team]", in: query, allowed: "none or the id of a team")
        }
        return .some(team)
    }

    private func labels() throws(Problem) -> [LabelID] {
        guard let text = query["filter[label]"] else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false).map { LabelID($0) }
        guard ids.count <= ViewFilter.mostLabels, ids.allSatisfy({ $0 != nil }) else {
            throw Problem(
                parameter: "filter[label]", in: query,
                allowed: "ids of labels with commas, at most \(ViewFilter.mostLabels)")
        }
        var labels: [LabelID] = []
        for id in ids.compactMap(\.self) where !labels.contains(id) { labels.append(id) }
        return labels
    }

    private func priorities() throws(Problem) -> Set<Priority> {
        guard let text = query["filter[priority]"] else { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Priority(rawValue: String($0)) }
        guard words.allSatisfy({ $0 != nil }) else {
            throw Problem(
                parameter: "filter[priority]", in: query,
                allowed: Priority.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", or several with commas")
        }
        return Set(words.compactMap(\.self))
    }

    private func attributes() throws(Problem) -> [String: AttributeValue] {
        guard let text = query["filter[attributes]"] else { return [:] }
        let problem = Problem(
            parameter: "filter[attributes]", in: query,
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
        guard let word = query["filter[language]"] else { return nil }
        guard ViewFilter.isLanguage(word) else {
            throw Problem(
                parameter: "filter[language]", in: query, allowed: "a language as ja or en")
        }
        return word
    }

    private func text() throws(Problem) -> String? {
        guard let text = query["filter[text]"] else { return nil }
        guard (try? SearchQuery(text)) != nil else {
            throw Problem(
                parameter: "filter[text]", in: query,
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
            intent: try query.nonEmpty("filter[intent]", "the intent of an entry link"),
            group: try query.nonEmpty("filter[group]", "the group of an entry link"),
            updatedAfter: try query.moment("filter[updatedAfter]"))
    }

    private func dueWithin() throws(Problem) -> Int? {
        guard query["filter[dueWithin]"] != nil else { return nil }
        let allowed = "minutes from 0, for the overdue ones, to \(ServiceLevels.longestMinutes)"
        let minutes = try query.number("filter[dueWithin]", allowed: allowed)
        guard let minutes, minutes <= ServiceLevels.longestMinutes else {
            throw Problem(parameter: "filter[dueWithin]", in: query, allowed: allowed)
        }
        try requireApart(from: "dueWithin")
        return Int(minutes)
    }

    private func requireApart(from due: String) throws(Problem) {
        let other = due == "due" ? "dueWithin" : "due"
        for name in ["filter[state]", "filter[waiting]", "sort", "filter[\(other)]"]
        where query[name] != nil {
            let sent = query.sentName(of: name)
            throw Problem(
                parameter: name, in: query,
                allowed: "no \(sent) together with \(query.sentName(of: "filter[\(due)]"))",
                fix: "Leave \(sent) out: open conversations are listed by when they are due.")
        }
    }

    /// The list's order and the page's place in it.
    func place(in view: ViewFilter) throws(Problem) -> ListPlace {
        let isOfBreaking = try isDue()
        let isDue = view.dueWithin != nil || isOfBreaking
        guard view.isWaiting || isDue else {
            return .activity(
                try query.pageEdge { DecimalText.number($0).map { Position(Int64($0)) } })
        }
        let edge = try query.pageEdge(ListPlace.readWaiting)
        return isDue ? .due(edge) : .waiting(edge)
    }

    private func mentions() throws(Problem) -> ViewFilter.Care {
        guard query["filter[mentions]"] == "me", context.signedIn != nil else {
            throw Problem(
                parameter: "filter[mentions]", in: query,
                allowed: "me, for a signed-in agent: notes mention people")
        }
        guard query["filter[assignee]"] == nil, query["filter"] == nil else {
            throw Problem(
                parameter: "filter[mentions]", in: query, allowed: "without another assignee",
                fix: "Send either of the two.")
        }
        return .mentioning
    }

    private func isDue() throws(Problem) -> Bool {
        guard try query.word("filter[due]", Truth.self) == .true else { return false }
        try requireApart(from: "due")
        return true
    }

    private func isWaiting() throws(Problem) -> Bool {
        try query.word("filter[waiting]", Truth.self) == .true
    }

    private func care() throws(Problem) -> ViewFilter.Care {
        if query["filter[mentions]"] != nil { return try mentions() }
        let word = try query.word("filter", Care.self)
        guard let assignee = query["filter[assignee]"] else {
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
                parameter: "filter[assignee]", in: query, allowed: "without filter",
                fix: "Send either of the two.")
        }
        if assignee == "none" { return .nobody }
        if assignee == "bot" { return .bot }
        if assignee == "me", context.signedIn != nil { return .caller }
        guard let agent = AgentID(assignee) else {
            throw Problem(
                parameter: "filter[assignee]", in: query,
                allowed: context.signedIn == nil
                    ? "none, bot or the id of a member" : "me, none, bot or the id of a member")
        }
        return .agent(agent)
    }
}

extension Query {
    /// A text of some bytes; nil when it is absent.
    func nonEmpty(
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
