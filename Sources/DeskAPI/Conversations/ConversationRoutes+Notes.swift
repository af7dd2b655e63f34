import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

extension RouteTable {
    /// Adds the notes of conversations.
    mutating func addNotes(limits: APILimits) {
        let path = "/api/conversations/{conversation}/notes"
        add(
            .post, path, operation: "addNote", permission: .handleConversations,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write,
            repeating: .remembered
        ) { context async throws(Problem) in try await ConversationRoutes(context).addNote() }
        add(
            .patch, path + "/{note}", operation: "changeNote", permission: .handleConversations,
            business: .conversation, bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await ConversationRoutes(context).changeNote() }
        add(
            .delete, path + "/{note}", operation: "deleteNote", permission: .handleConversations,
            business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ConversationRoutes(context).deleteNote() }
    }
}

extension ConversationRoutes {
    func addNote() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        let condition = try RevisionTag.condition(of: context.request)
        let (text, mentions) = try await content(in: conversation)
        let id = conversation.id
        let note = try await keeping(condition, of: id) { broker throws(BrokerError) in
            try await broker.addNote(
                text, mentioning: mentions, to: id, by: author, if: condition)
        }
        return try await answer(note, status: .created)
    }

    func changeNote() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let (text, mentions) = try await content(in: conversation)
        return try await change(to: text, mentioning: mentions, in: conversation)
    }

    func deleteNote() async throws(Problem) -> Response {
        try await change(to: nil, mentioning: Mentioned(), in: try context.requireConversation())
    }

    private func change(
        to text: String?, mentioning mentions: Mentioned, in conversation: Conversation
    ) async throws(Problem) -> Response {
        let author = try context.requirePrincipal().author
        guard let id = context.request.parameters["note"].flatMap({ NoteID($0) }) else {
            throw .notFound
        }
        let note = try await services.brokering { broker throws(BrokerError) in
            try await broker.changeNote(
                id, in: conversation.id, to: text, mentioning: mentions, by: author)
        }
        return try await answer(note, status: .ok)
    }

    /// The text of a note, and whom it mentions, each once.
    private func content(
        in conversation: Conversation
    ) async throws(Problem) -> (String, Mentioned) {
        let business = conversation.business
        var fields = try Fields(try await context.jsonBytes())
        let text = fields.requireText("text", bytes: 1...services.limits.noteBytes)
        var mentions = Mentioned(permitted: services.handlingRoles)
        if let value = fields.value("mentions"), !value.isNull {
            let members = try await services.handlers(of: business).map(\.id)
            mentions.agents = ids(
                in: value, most: MentionBounds.perNote, &fields,
                what: "the id of a member who handles conversations",
                from: "GET /api/businesses/\(business.text)/members"
            ) { text in AgentID(text).flatMap { members.contains($0) ? $0 : nil } }
        }
        if let value = fields.value("teams"), !value.isNull {
            let teams = try await services.asking { store throws(StoreError) in
                try await store.teams(of: business)
            }.filter { !$0.isRetired }.map(\.id)
            mentions.teams = ids(
                in: value, most: MentionBounds.teamsPerNote, &fields,
                what: "the id of a team of the business that is not retired",
                from: "GET /api/businesses/\(business.text)/teams"
            ) { text in TeamID(text).flatMap { teams.contains($0) ? $0 : nil } }
        }
        try fields.finish()
        guard let text else { throw .notFound }
        return (text, mentions)
    }

    /// The ids of a list, each once; others are findings.
    private func ids<ID: Hashable>(
        in value: JSONValue, most: Int, _ fields: inout Fields, what: String, from list: String,
        find: (String) -> ID?
    ) -> [ID] {
        guard value.kind == .array, value.count <= most else {
            fields.note(.value, value, "a list of up to \(most) ids", "Send fewer ids.")
            return []
        }
        var found: [ID] = []
        for element in value.elements {
            guard let id = element.string.flatMap(find) else {
                fields.note(.value, element, what, "Take the id from \(list).")
                continue
            }
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    private func answer(_ note: Note, status: Status) async throws(Problem) -> Response {
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in try await authorNames.load([note]) }
        var answer = JSONWriter()
        answer.note(note, authorNames)
        return .json(answer.bytes, status: status)
    }
}
