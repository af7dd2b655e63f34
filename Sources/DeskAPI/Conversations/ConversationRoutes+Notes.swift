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
        try await change(to: nil, mentioning: [], in: try context.requireConversation())
    }

    private func change(
        to text: String?, mentioning mentions: [AgentID], in conversation: Conversation
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

    /// The text of a note, and the members whom it mentions, each once.
    private func content(
        in conversation: Conversation
    ) async throws(Problem) -> (String, [AgentID]) {
        var fields = try Fields(try await context.jsonBytes())
        let text = fields.requireText("text", bytes: 1...services.limits.noteBytes)
        var mentions: [AgentID] = []
        if let value = fields.value("mentions"), !value.isNull {
            let members = try await services.asking { store throws(StoreError) in
                try await store.agents(of: conversation.business)
            }.map(\.id)
            let most = MentionBounds.perNote
            if value.kind != .array || value.count > most {
                fields.note(
                    .value, value, "a list of up to \(most) ids", "Send fewer members' ids.")
            } else {
                for element in value.elements {
                    guard let id = element.string.flatMap({ AgentID($0) }), members.contains(id)
                    else {
                        fields.note(
                            .value, element, "the id of a member of the business",
                            "Take the id from "
                                + "GET /api/businesses/\(conversation.business.text)/members.")
                        continue
                    }
                    if !mentions.contains(id) { mentions.append(id) }
                }
            }
        }
        try fields.finish()
        guard let text else { throw .notFound }
        return (text, mentions)
    }

    private func answer(_ note: Note, status: Status) async throws(Problem) -> Response {
        let authorNames = services.authorNames
        try await services.asking { _ throws(StoreError) in try await authorNames.load([note]) }
        var answer = JSONWriter()
        answer.note(note, authorNames)
        return .json(answer.bytes, status: status)
    }
}
