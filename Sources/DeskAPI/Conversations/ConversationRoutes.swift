import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds conversations: list, state, reading mark, typing, notes.
    public mutating func addConversations(limits: APILimits) {
        let path = "/api/conversations/{conversation}"
        add(
            .get, "/api/conversations", operation: "listConversations",
            permission: .readConversations, business: .query,
            query: .known(
                ["business"] + ListParameters.names + ["view"] + PageParameters.names,
                older: ListParameters.older)
        ) {
            context async throws(Problem) in try await ConversationRoutes(context).list()
        }
        add(
            .get, "/api/views", operation: "countViews", permission: .readConversations,
            business: .query, query: .known(["business"])
        ) { context async throws(Problem) in try await ConversationRoutes(context).countViews() }
        add(
            .get, path, operation: "getConversation", permission: .readConversations,
            business: .conversation
        ) {
            context async throws(Problem) in
            try await ConversationRoutes(context).get()
        }
        add(
            .patch, path, operation: "changeConversation", permission: .handleConversations,
            business: .conversation,
            bodyLimit: limits.recordBytes, rate: .write, repeating: .remembered
        ) { context async throws(Problem) in try await ConversationRoutes(context).change() }
        add(
            .post, "/api/conversations/bulk", operation: "changeConversations",
            permission: .handleConversations, business: .query, bodyLimit: limits.batchBytes,
            rate: .own
        ) { context async throws(Problem) in try await BulkRoute(context).change() }
        add(
            .post, path + "/read", operation: "markRead", permission: .handleConversations,
            business: .conversation,
            bodyLimit: limits.recordBytes
        ) { context async throws(Problem) in try await ConversationRoutes(context).markRead() }
        add(
            .post, path + "/typing", operation: "signalTyping", permission: .sendMessages,
            business: .conversation,
            bodyLimit: limits.recordBytes, goesOnWhenFull: true
        ) { context async throws(Problem) in try await ConversationRoutes(context).signalTyping() }
        addNotes(limits: limits)
        addParticipants()
    }
}

/// Answers the routes of `addConversations`.
struct ConversationRoutes {
    /// How often a change is tried while others change the conversation in between.
    private static let mostTries = 8

    let context: RequestContext
    var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func change() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        let tag = try RevisionTag.condition(of: context.request)
        var fields = try Fields(try await context.jsonBytes())
        let state = StateChange(&fields, at: services.time.now())
        let assignment = try await assignment(&fields, conversation.business)
        let team = try await TeamChange(&fields, conversation, services)
        let priority = fields.word("priority", Priority.self)
        let labels = try await LabelChange(&fields, conversation, services)
        let attributes = try await AttributeChange.read(
            &fields, of: .conversation, in: conversation.business, services)
        let metadata = fields.metadataChange(of: conversation.metadata)
        let condition = try ConversationCondition(&fields)
        try fields.finish()
        var changes: [ConversationChange] = []
        if let attributes { changes.append(.attribute(attributes)) }
        if let metadata { changes.append(.annotate(metadata)) }
        if let priority { changes.append(.prioritize(priority)) }
        if let move = team.change { changes.append(move) }
        if let labels { changes.append(.label(add: labels.add, remove: labels.remove)) }
        if let assignment { changes.append(assignment) }
        if let change = state.change { changes.append(change) }
        var demands = condition.demands(of: conversation.id)
        if case .assign(let agent?) = assignment {
            demands.append(
                .requireMember(agent, of: conversation.business, in: services.handlingRoles))
        }
        let (all, id, demanded) = (changes, conversation.id, demands)
        let changed = try await keeping(condition, tag, of: conversation) {
            broker, revisions throws(BrokerError) in
            try await broker.change(id, all, by: author, if: revisions, demanding: demanded)
        }
        return try await answer(changed)
    }

    /// Asks the broker for a change of a conversation of which all is so that the request demands; else the
    /// refusal has the current state.
    ///
    /// What a commit cannot look at holds for the revision that was looked at, which the commit requires: again
    /// where others changed the conversation in between.
    private func keeping(
        _ condition: ConversationCondition, _ tag: RevisionCondition, of conversation: Conversation,
        _ ask: (Broker, RevisionCondition) async throws(BrokerError) -> Conversation
    ) async throws(Problem) -> Conversation {
        let id = conversation.id
        guard condition.needsRevision else {
            return try await keeping(tag, of: id) { broker throws(BrokerError) in
                try await ask(broker, tag)
            }
        }
        var seen = conversation
        for attempt in 1... {
            do throws(Problem) {
                try condition.require(seen)
            } catch {
                throw try await services.showing(seen, in: error)
            }
            let revisions = tag.narrowed(to: seen.revision)
            do throws(Problem) {
                return try await keeping(tag, of: id) { broker throws(BrokerError) in
                    try await ask(broker, revisions)
                }
            } catch {
                // A revision that the request names does not come back.
                guard error.code == .preconditionFailed, tag == .always, attempt < Self.mostTries
                else { throw error }
            }
            guard let found = try await services.findConversation(id) else { throw .notFound }
            seen = found
        }
        return seen
    }

    /// Asks the broker; where the condition does not hold, the refusal has the current state.
    func keeping<Value>(
        _ condition: RevisionCondition, of id: ConversationID,
        _ ask: (Broker) async throws(BrokerError) -> Value
    ) async throws(Problem) -> Value {
        do throws(Problem) {
            return try await services.brokering(ask)
        } catch {
            guard error.code == .preconditionFailed || error.code == .alreadyAssigned else {
                throw error
            }
            // Loaded again: the refusal has the present state, not that of the beginning of the
            // request.
            guard let found = try await services.findConversation(id) else { throw .notFound }
            throw try await services.showing(found, in: error)
        }
    }

    func markRead() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("sequence")
        let sequence = fields.number("sequence", 0...Int(conversation.newest.value))
        try fields.finish()
        guard let sequence else { throw .notFound }
        if sequence > conversation.readUpTo.value {
            _ = try await services.brokering { broker throws(BrokerError) in
                try await broker.change(
                    conversation.id, .markRead(SequenceNumber(Int64(sequence))), by: author)
            }
            noteRead(conversation, by: author)
        }
        if let agent = context.signedIn {
            let now = services.time.now()
            _ = try await services.asking { store throws(StoreError) in
                try await store.markMentionsSeen(by: agent, in: conversation.id, at: now)
            }
        }
        return Response(status: .noContent)
    }

    /// Has links learn what was read, where the customer's channel shows that.
    private func noteRead(_ conversation: Conversation, by author: Author) {
        // Only such channels have a time for answers: all others need no signal.
        guard conversation.freeFormUntil != nil else { return }
        services.broker.signal(
            Signal(
                kind: .read, business: conversation.business, conversation: conversation.id,
                who: author, state: .looking))
    }

    func signalTyping() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        var fields = try Fields(try await context.jsonBytes())
        _ = fields.requireValue("state")
        let state = fields.word("state", TypingState.self)
        try fields.finish()
        guard let state else { throw .notFound }
        let principal = try context.requirePrincipal()
        try await services.requireControl(of: conversation, principal)
        services.broker.signal(
            Signal(
                kind: .typing, business: conversation.business, conversation: conversation.id,
                who: principal.author, state: state == .start ? .start : .end))
        return Response(status: .noContent)
    }

    func get() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let nonAutomatic = try await NonAutomaticMessages(of: [conversation], services)
        return try await answer(conversation, nonAutomatic)
    }

    func answer(
        _ conversation: Conversation, _ nonAutomatic: NonAutomaticMessages? = nil
    ) async throws(Problem) -> Response {
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in
            try await authorNames.load([conversation])
        }
        let marks = try await OwnMarks(
            of: try context.requirePrincipal(), in: conversation, services)
        var text = JSONWriter()
        text.conversation(conversation, authorNames) {
            nonAutomatic?.write(conversation.id, to: &$0, authorNames)
            marks.write(conversation.id, to: &$0)
        }
        var response = Response.json(text.bytes)
        response.headers.append("ETag", RevisionTag.text(conversation.revision))
        return response
    }

    private enum TypingState: String, CaseIterable {
        case start, end
    }

    /// Whom the conversation is given to; nil when the request does not speak of it.
    private func assignment(
        _ fields: inout Fields, _ business: BusinessID
    ) async throws(Problem) -> ConversationChange? {
        guard let value = fields.value("assignee") else { return nil }
        if value.isNull { return .assign(nil) }
        if value.equals("me"), case .agent(let agent) = try context.requirePrincipal() {
            return .assign(agent.agent.id)
        }
        if let id = value.string.flatMap({ AgentID($0) }) {
            let memberships = try await services.asking { store throws(StoreError) in
                try await store.memberships(of: id)
            }
            let handling = services.handlingRoles
            if memberships.contains(where: {
                $0.business == business && handling.contains($0.role)
            }) {
                return .assign(id)
            }
        }
        let list = "GET /api/businesses/\(business.text)/members"
        if case .agent = try context.requirePrincipal() {
            fields.note(
                "assignee", "me, null, or the id of a member who handles conversations",
                "Take the id from \(list).")
        } else {
            fields.note(
                "assignee", "null, or the id of a member who handles conversations",
                "Only a person who is signed in is \"me\": take the id from \(list).")
        }
        return nil
    }
}

extension Services {
    /// A refusal that has the conversation as it is.
    func showing(_ conversation: Conversation, in problem: Problem) async throws(Problem) -> Problem
    {
        let authorNames = authorNames
        try await asking { _ throws(StoreError) in try await authorNames.load([conversation]) }
        var problem = problem
        var text = JSONWriter()
        text.conversation(conversation, authorNames)
        problem.current = text.bytes
        problem.entityTag = RevisionTag.text(conversation.revision)
        return problem
    }
}
