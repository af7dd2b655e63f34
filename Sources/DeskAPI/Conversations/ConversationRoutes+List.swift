import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// The lists of conversations and what they have.
extension ConversationRoutes {
    func list() async throws(Problem) -> Response {
        let query = ListParameters(context)
        let size = try context.request.query.pageSize(
            usual: services.limits.web.pageSize, most: services.limits.web.pageSizeMost)
        let filter = try query.filter()
        let place = try query.place()
        // Before the list, so that a reader who follows from here misses nothing.
        let head = services.broker.head
        let authorNames = services.authorNames
        let asking = context.signedIn
        let (found, counts, waiting) = try await services.asking { store throws(StoreError) in
            let found =
                switch place {
                case .activity(let position):
                    try await store.conversations(filter, before: position, limit: size)
                case .waiting(let place):
                    try await store.waitingConversations(filter, after: place, limit: size)
                }
            try await authorNames.load(found.elements)
            let counts = try await store.countConversations(filter, mineOf: asking)
            return (found, counts, try await store.waitingConversations(filter))
        }
        let marks = try await OwnMarks(
            of: try context.requirePrincipal(), in: context.businesses, services)
        let next = found.hasMore ? found.elements.last.flatMap { place.next(after: $0) } : nil
        return .json(
            JSONWriter.object(capacity: 16_384) { text in
                text.member("data") { text in
                    text.array { text in
                        for conversation in found.elements {
                            text.conversation(conversation, authorNames) {
                                marks.write(conversation.id, to: &$0)
                            }
                        }
                    }
                }
                text.member("hasMore", found.hasMore)
                text.member("next", next)
                text.member("counts") {
                    $0.object {
                        $0.member("mine", counts.mine)
                        $0.member("unassigned", counts.unassigned)
                        $0.member("all", counts.all)
                        if let mentions = marks.mentions { $0.member("mentions", mentions) }
                        $0.member("waiting") { $0.waiting(waiting) }
                    }
                }
                text.member("head", head.text)
            })
    }

    func countViews() async throws(Problem) -> Response {
        // Before the counts: what happens meanwhile is counted, and asked for again.
        let head = services.broker.head
        let businesses = context.businesses
        let counts = try await services.asking { store throws(StoreError) in
            try await store.countViews(of: businesses)
        }
        let asking = context.signedIn
        return .json(
            JSONWriter.object(capacity: 1_024) { text in
                text.member("counts") {
                    $0.object {
                        $0.member("mine", asking.flatMap { counts.assignees[$0] } ?? 0)
                        $0.member("unassigned", counts.unassigned)
                        $0.member("waiting") { $0.waiting(counts.waiting) }
                        $0.member("all", counts.states[.open] ?? 0)
                        $0.member("pending", counts.states[.pending] ?? 0)
                        $0.member("snoozed", counts.states[.snoozed] ?? 0)
                        $0.member("closed", counts.states[.closed] ?? 0)
                    }
                }
                text.member("assignees") { $0.counts(counts.assignees) }
                text.member("teams") { $0.counts(counts.teams) }
                text.member("labels") { $0.counts(counts.labels) }
                text.member("head", head.text)
            })
    }
}

extension JSONWriter {
    /// Writes how many conversations each thing has, the most first.
    fileprivate mutating func counts<ID: UniquelyNamed>(_ counts: [ID: Int]) {
        let byCount = counts.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
        array { text in
            for (id, count) in byCount {
                text.object {
                    $0.member("id", id.text)
                    $0.member("count", count)
                }
            }
        }
    }
}

/// The order of a list, and the place in it after which a page begins.
enum ListPlace {
    /// By the newest event, newest first.
    case activity(Position?)
    /// By the time since which the customer waits, longest first.
    case waiting(WaitingPlace?)

    /// What `next` says of a page that ends with a conversation.
    func next(after last: Conversation) -> String? {
        switch self {
        case .activity: String(last.activity.value)
        case .waiting:
            WaitingPlace(last).map { "\($0.since.milliseconds).\($0.conversation.text)" }
        }
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

    private let context: RequestContext
    private var query: Query { context.request.query }

    init(_ context: RequestContext) { self.context = context }

    /// Which conversations are listed.
    func filter() throws(Problem) -> ConversationFilter {
        var filter = ConversationFilter(businesses: context.businesses)
        filter.care = try care()
        filter.team = try team()
        filter.labels = try labels()
        filter.priorities = try priorities()
        if let word = query["state"], word != "any" {
            guard let state = ConversationState(rawValue: word) else {
                throw Problem(
                    parameter: "state", in: query,
                    allowed: "open, pending, snoozed, closed or any")
            }
            filter.states = [state]
        }
        if try isWaiting() {
            guard filter.states?.contains(.open) ?? true else {
                throw Problem(
                    parameter: "state", in: query,
                    allowed: "open or any together with waiting=true",
                    fix: "Leave state out: only open conversations wait.")
            }
            filter.states = [.open]
        }
        return filter
    }

    /// Most labels of one list.
    private static let maximumLabels = 5

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
        guard ids.count <= Self.maximumLabels, ids.allSatisfy({ $0 != nil }) else {
            throw Problem(
                parameter: "label", in: query,
                allowed: "ids of labels with commas, at most \(Self.maximumLabels)")
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

    /// The list's order and the page's place in it.
    func place() throws(Problem) -> ListPlace {
        let allowed = "what the last page's next said"
        guard try isWaiting() else {
            return .activity(
                try query.number("page[after]", allowed: allowed).map { Position($0) })
        }
        guard let text = query["page[after]"] else { return .waiting(nil) }
        guard let place = ListPlace.readWaiting(text) else {
            throw Problem(parameter: "page[after]", in: query, allowed: allowed)
        }
        return .waiting(place)
    }

    private func isWaiting() throws(Problem) -> Bool {
        try query.word("waiting", Truth.self) == .true
    }

    private func care() throws(Problem) -> ConversationFilter.Care {
        let word = try query.word("filter", Care.self)
        guard let assignee = query["assignee"] else {
            switch word ?? .all {
            case .all: return .all
            case .unassigned: return .unassigned
            case .mine:
                guard let agent = context.signedIn else {
                    throw Problem(
                        parameter: "filter", in: query,
                        allowed: "unassigned or all: only a signed-in agent has conversations")
                }
                return .mine(agent)
            case .mentions:
                guard let agent = context.signedIn else {
                    throw Problem(
                        parameter: "filter", in: query,
                        allowed: "unassigned or all: only a signed-in agent is mentioned")
                }
                return .mentioning(agent)
            }
        }
        guard word == nil else {
            throw Problem(
                parameter: "assignee", in: query, allowed: "without filter",
                fix: "Send either of the two.")
        }
        if assignee == "none" { return .unassigned }
        if assignee == "me", let agent = context.signedIn { return .mine(agent) }
        guard let agent = AgentID(assignee) else {
            throw Problem(
                parameter: "assignee", in: query,
                allowed: context.signedIn == nil
                    ? "none or the id of a member" : "me, none or the id of a member")
        }
        return .mine(agent)
    }
}

extension RequestContext {
    /// The agent who asks; nil for keys and for the sandbox.
    var signedIn: AgentID? {
        if case .agent(let agent) = principal { agent.agent.id } else { nil }
    }
}
