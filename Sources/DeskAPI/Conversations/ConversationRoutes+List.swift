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
        let size = try context.request.query.pageSize(services.limits.web)
        let (view, businesses) = try await query.view()
        let place = try query.place(in: view)
        // Before the list, so that a reader who follows from here misses nothing.
        let head = services.broker.head
        let authorNames = services.authorNames
        let asking = context.signedIn
        guard let (filter, _) = try await context.filter(view, in: businesses) else {
            throw .onlyPersons(context.request.query)
        }
        var ends: [BusinessID: Timestamp] = [:]
        if case .due = place {
            ends = try await services.dueEnds(view.dueWithin, in: businesses)
        }
        let soon = ends
        let (found, counts, waiting) = try await services.asking { store throws(StoreError) in
            let found =
                switch place {
                case .activity(let edge):
                    try await store.conversations(filter, at: edge, limit: size)
                case .waiting(let edge):
                    try await store.waitingConversations(filter, at: edge, limit: size)
                case .due(let edge):
                    try await store.dueConversations(filter, until: soon, at: edge, limit: size)
                }
            try await authorNames.load(found.elements)
            let counts = try await store.countConversations(filter, mineOf: asking)
            return (found, counts, try await store.waitingConversations(filter))
        }
        let nonAutomatic = try await NonAutomaticMessages(of: found.elements, services)
        let marks = try await OwnMarks(
            of: try context.requirePrincipal(), in: context.businesses, services)
        return .json(
            JSONWriter.object(capacity: 16_384) { text in
                text.member("data") { text in
                    text.array { text in
                        for conversation in found.elements {
                            text.conversation(conversation, authorNames) {
                                nonAutomatic.write(conversation.id, to: &$0, authorNames)
                                marks.write(conversation.id, to: &$0)
                            }
                        }
                    }
                }
                place.write(found, to: &text)
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
        let ends = try await services.dueSoon(in: businesses)
        let due = try await services.asking { store throws(StoreError) in
            try await store.countDue(ConversationFilter(businesses: businesses), until: ends)
        }
        let mentions = try await services.asking { store throws(StoreError) -> Int? in
            guard let asking else { return nil }
            return try await store.unseenMentions(of: asking, in: businesses).count
        }
        return .json(
            JSONWriter.object(capacity: 1_024) { text in
                text.member("counts") {
                    $0.object {
                        $0.member("mine", asking.flatMap { counts.assignees[$0] } ?? 0)
                        $0.member("unassigned", counts.unassigned)
                        $0.member("withBot", counts.withBot)
                        if let mentions { $0.member("mentions", mentions) }
                        $0.member("waiting") { $0.waiting(counts.waiting) }
                        $0.member("due", due.count)
                        $0.member("dueIsMore", due.isMore)
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

extension RequestContext {
    /// The agent who asks; nil for keys and for the sandbox.
    var signedIn: AgentID? {
        if case .agent(let agent) = principal { agent.agent.id } else { nil }
    }
}
