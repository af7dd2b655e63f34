import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

extension RouteTable {
    /// Adds messages: reading, sending, judging, batches.
    public mutating func addMessages(limits: APILimits) {
        let path = "/api/conversations/{conversation}/messages"
        add(.get, path, operation: "listMessages", right: .conversation) {
            call async throws(Problem) in try await ThreadRoutes(call).list()
        }
        add(.get, path + "/{message}", operation: "getMessage", right: .conversation) {
            call async throws(Problem) in try await ThreadRoutes(call).get()
        }
        add(
            .post, path, operation: "sendMessage", right: .conversation,
            bodyLimit: limits.payloadBytes, pace: .write, repeating: .own
        ) { call async throws(Problem) in try await MessageRoutes(call).send() }
        add(
            .post, "/api/validate", operation: "validate", right: .member,
            bodyLimit: limits.payloadBytes, pace: .validation
        ) { call async throws(Problem) in try await MessageRoutes(call).validate() }
        add(
            .post, "/api/messages/batch", operation: "sendBatch", right: .member,
            bodyLimit: limits.batchBytes, pace: .own, repeating: .remembered
        ) { call async throws(Problem) in try await BatchRoute(call).send() }
    }
}

/// Answers the routes that take one payload.
struct MessageRoutes {
    private let call: Call
    private var services: Services { call.services }

    init(_ call: Call) { self.call = call }

    func send() async throws(Problem) -> Response {
        let conversation = try call.requireConversation()
        let principal = try call.requirePrincipal()
        let posted = try await call.jsonBytes()
        let judged = try await PayloadJudge(services: services).judge(
            posted, for: conversation, of: conversation.business, profile: try profile(),
            holders: [.conversation(conversation.id)])
        return try await MessageSending(call).send(
            judged, posted: posted, body: posted, to: conversation, as: principal)
    }

    func validate() async throws(Problem) -> Response {
        let principal = try call.requirePrincipal()
        let query = call.request.query
        var conversation: Conversation?
        var business = query["business"].flatMap { BusinessID($0) }
        if let text = query["conversation"] {
            guard let id = ConversationID(text),
                let found = try await services.asking({ store throws(StoreError) in
                    try await store.findConversation(id)
                }), principal.belongs(to: found.business)
            else { throw .notFound }
            conversation = found
            business = found.business
        }
        // Without either the rules of the only business hold, or those of any of them.
        guard let business = business ?? principal.businesses.first else { throw .notFound }
        let direction = try direction()
        let posted = try await call.jsonBytes()
        let judged = try await PayloadJudge(services: services).judge(
            posted, for: conversation, of: business, direction: direction,
            profile: try profile(direction == .inbound ? .lenient : .strict),
            holders: conversation.map { [.conversation($0.id)] } ?? [.business(business)])
        if direction == .outbound, conversation?.hasLeft == true {
            throw Problem(Refusal.customerLeft)
        }
        return .json(
            JSONText.object { text in
                text.member("kind", judged.kind.word)
                text.member("summary", judged.summary)
                text.member(
                    "findings", raw: judged.warnings.isEmpty ? [0x5B, 0x5D] : judged.warnings)
                text.member("bytes", judged.payload.count)
            })
    }

    private func profile(_ standard: Profile = .strict) throws(Problem) -> Profile {
        guard let word = call.request.query["profile"] else { return standard }
        guard let profile = Profile(rawValue: word) else {
            throw Problem(.invalid, "profile is strict or lenient.")
        }
        return profile
    }

    private func direction() throws(Problem) -> Direction {
        guard let word = call.request.query["direction"] else { return .outbound }
        guard let direction = Direction(rawValue: word) else {
            throw Problem(.invalid, "direction is outbound or inbound.")
        }
        return direction
    }
}

extension PayloadKind {
    /// The word in answers.
    var word: String {
        switch self {
        case .message(let kind): kind.rawValue
        case .typingStart: "typing_start"
        case .typingEnd: "typing_end"
        case .close: "close"
        }
    }
}
