import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds answers that are suggested in a conversation.
    public mutating func addSuggestions(limits: APILimits) {
        let path = "/api/conversations/{conversation}/suggestions"
        add(
            .get, path, operation: "listSuggestions", permission: .readConversations,
            business: .conversation, query: .known(PageParameters.names)
        ) { context async throws(Problem) in try await SuggestionRoutes(context).list() }
        add(
            .post, path, operation: "addSuggestion", permission: .suggestReplies,
            business: .conversation, bodyLimit: 2 * Suggestion.maximumPayloadBytes, rate: .write,
            repeating: .remembered
        ) { context async throws(Problem) in try await SuggestionRoutes(context).add() }
        add(
            .delete, path + "/{suggestion}", operation: "rejectSuggestion",
            permission: .suggestReplies, business: .conversation, rate: .write
        ) { context async throws(Problem) in try await SuggestionRoutes(context).reject() }
    }
}

/// Answers the routes of `addSuggestions`.
struct SuggestionRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let names = services.authorNames
        let found = try await services.asking { store throws(StoreError) in
            let found = try await store.suggestions(in: conversation.id)
            try await names.load(found.map(\.author))
            return found
        }
        let page = try context.page(of: found) { $0.id.text }
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.list(page) { $0.suggestion($1, names) }
            })
    }

    func add() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let principal = try context.requirePrincipal()
        var fields = try Fields(try await context.jsonBytes())
        let payload = fields.requireValue("payload")
        if let payload, payload.kind != .object {
            fields.note(.type, payload, "an object", "Send payload as a JSON object.")
        }
        if let payload, payload.rawBytes.count > Suggestion.maximumPayloadBytes {
            fields.note(
                "payload", "at most \(Suggestion.maximumPayloadBytes) bytes",
                "Send a smaller message.")
        }
        let remark = fields.text("remark", bytes: 0...Suggestion.maximumRemarkBytes)
        try fields.finish()
        guard let payload else { throw .notFound }
        let stored = try await services.suggest(
            Array(payload.rawBytes), in: conversation, remark: remark, by: principal.author)
        services.rememberName(of: principal)
        return .json(
            JSONWriter.object {
                $0.member("suggestion") { $0.suggestion(stored, services.authorNames) }
            },
            status: .created)
    }

    func reject() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let author = try context.requirePrincipal().author
        guard let id = context.request.parameters["suggestion"].flatMap({ SuggestionID($0) }) else {
            throw .notFound
        }
        try await services.brokering { broker throws(BrokerError) in
            try await broker.reject(id, in: conversation.id, by: author)
        }
        return Response(status: .noContent)
    }
}

extension Services {
    /// Judges a message and stores it as a suggestion.
    ///
    /// - Parameter messages: those that its writer read.
    /// - Throws: `invalid` with the findings, or where a conversation has as many as it may have; `messageErased` where
    ///   one of `messages` was erased since.
    func suggest(
        _ posted: [UInt8], in conversation: Conversation, remark: String?, model: String? = nil,
        quoting messages: [MessageID] = [], by author: Author
    ) async throws(Problem) -> Suggestion {
        let judged = try await PayloadJudge(services: self).judge(
            posted, for: conversation, of: conversation.business, profile: .strict,
            holders: [.conversation(conversation.id)])
        guard case .message(let kind) = judged.kind, let root = JSONValue.parsed(posted) else {
            throw Problem(.invalid, "Only a message can be suggested.")
        }
        let suggestion = Suggestion(
            id: SuggestionID(broker.makeID()), business: conversation.business,
            conversation: conversation.id, author: author, createdAt: time.now(), model: model,
            kind: kind, summary: judged.summary,
            remark: remark.flatMap { $0.isEmpty ? nil : $0 },
            payload: SuggestedMessage.content(of: root))
        try await keep(
            judged.attachments, ofWaitingIn: conversation.id,
            until: suggestion.createdAt.advanced(by: .seconds(Suggestion.daysKept * 86_400)),
            by: author)
        do throws(Problem) {
            return try await brokering { broker throws(BrokerError) in
                try await broker.suggest(suggestion, quoting: messages)
            }
        } catch {
            guard error.code == .invalid else { throw error }
            throw Problem(
                .invalid,
                "\(Suggestion.mostPerConversation) suggestions wait in this conversation, which is all "
                    + "that may: an agent decides on some first.")
        }
    }
}

/// A message without what makes it one of a conversation: its id and its addresses.
enum SuggestedMessage {
    private static let envelope: Set<String> = ["v", "id", "sourceId", "destinationId", "locale"]

    /// The JSON text of a message without these members.
    static func content(of root: JSONValue) -> [UInt8] {
        JSONWriter.object(capacity: root.rawBytes.count) { text in
            for member in root.members where !envelope.contains(member.key) {
                text.key(text: member.key)
                text.raw(member.value.rawBytes)
            }
        }
    }

    /// Whether a message that is sent says what was suggested, in whatever order.
    static func isSame(_ suggested: [UInt8], as sent: [UInt8]) -> Bool {
        guard let one = JSONValue.parsed(suggested), let root = JSONValue.parsed(sent),
            let other = JSONValue.parsed(content(of: root))
        else { return false }
        return isSame(one, other, depth: 0)
    }

    private static func isSame(_ one: JSONValue, _ other: JSONValue, depth: Int) -> Bool {
        guard one.kind == other.kind, one.count == other.count, depth < 64 else { return false }
        switch one.kind {
        case .object:
            return one.members.allSatisfy { member in
                other[member.key].map { isSame(member.value, $0, depth: depth + 1) } ?? false
            }
        case .array:
            return zip(one.elements, other.elements)
                .allSatisfy { isSame($0, $1, depth: depth + 1) }
        case .string: return one.stringBytes == other.stringBytes
        case .number: return one.double == other.double
        case .boolean: return one.bool == other.bool
        case .null: return true
        }
    }
}
