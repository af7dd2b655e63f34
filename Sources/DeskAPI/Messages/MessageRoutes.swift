import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds messages: reading, sending, judging, batches.
    public mutating func addMessages(limits: APILimits) {
        let path = "/api/conversations/{conversation}/messages"
        add(
            .get, path, operation: "listMessages", permission: .readConversations,
            business: .conversation,
            query: .known(PageParameters.names, older: PageParameters.older)
        ) {
            context async throws(Problem) in try await ThreadRoutes(context).list()
        }
        add(
            .get, path + "/{message}", operation: "getMessage", permission: .readConversations,
            business: .conversation
        ) {
            context async throws(Problem) in try await ThreadRoutes(context).get()
        }
        add(
            .delete, path + "/{message}", operation: "eraseMessage", permission: .eraseMessages,
            business: .conversation, rate: .write
        ) { context async throws(Problem) in try await ErasingRoute(context).erase() }
        add(
            .post, path, operation: "sendMessage", permission: .sendMessages,
            business: .conversation, query: .known(SendQuery.names + ["profile"]),
            bodyLimit: limits.payloadBytes, rate: .write, repeating: .own
        ) { context async throws(Problem) in try await MessageRoutes(context).send() }
        add(
            .post, "/api/validate", operation: "validate", permission: .checkMessages,
            business: .query,
            query: .known([
                "conversation", "business", "direction", "profile", "capabilities", "now", "mode",
                "kind", "references",
            ]),
            bodyLimit: limits.payloadBytes, rate: .validation, goesOnWhenFull: true
        ) { context async throws(Problem) in try await MessageRoutes(context).validate() }
        add(
            .post, "/api/doctor", operation: "diagnose", permission: .checkMessages,
            business: .query,
            bodyLimit: limits.payloadBytes, rate: .validation, goesOnWhenFull: true
        ) { context async throws(Problem) in try await MessageRoutes(context).diagnose() }
        add(
            .post, "/api/translate", operation: "translate", permission: .checkMessages,
            business: .query, query: .known(["from", "to"]),
            bodyLimit: limits.payloadBytes, rate: .validation, goesOnWhenFull: true
        ) { context async throws(Problem) in try await TranslateRoute(context).translate() }
        add(
            .post, "/api/messages/batch", operation: "sendBatch", permission: .sendMessages,
            business: .query,
            bodyLimit: limits.batchBytes, rate: .own, repeating: .remembered
        ) { context async throws(Problem) in try await BatchRoute(context).send() }
    }
}

/// Answers the routes that accept one payload.
struct MessageRoutes {
    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func send() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let principal = try context.requirePrincipal()
        let posted = try await context.jsonBytes()
        let profile = try ValidateQuery.profile(context.request.query)
        let sent = try SentBody(posted)
        let sending = MessageSending(context)
        if let first = try await sending.repeated(body: posted, to: conversation, as: principal) {
            return first
        }
        let judge = PayloadJudge(services: services)
        let judged: JudgedPayload
        if let payload = sent.payload {
            judged = try await judge.judge(payload, for: conversation, profile: profile)
        } else {
            judged = try await judge.judge(
                posted, for: conversation, of: conversation.business, profile: profile,
                holders: [.conversation(conversation.id)])
        }
        return try await sending.send(
            judged, posted: sent.payload?.bytes ?? posted, body: posted, to: conversation,
            as: principal, profile: profile, metadata: sent.metadata)
    }

    func validate() async throws(Problem) -> Response {
        let query = context.request.query
        let asked = try ValidateQuery(query)
        if let document = asked.document { return try await validate(asDocument: document, asked) }
        var conversation: Conversation?
        if let text = query["conversation"] {
            conversation = try await context.requireConversation(named: text)
        }
        let posted = try await context.jsonBytes()
        let judged = try await PayloadJudge(services: services).judge(
            posted, for: conversation, of: conversation?.business ?? context.access.business, asked,
            among: context.businesses)
        if asked.direction == .outbound, conversation?.hasLeft == true {
            throw Problem(Refusal.customerLeft)
        }
        if asked.direction == .outbound, let end = conversation?.freeFormUntil,
            services.time.now() >= end
        {
            throw Problem(Refusal.replyWindowOver)
        }
        return verdict(
            kind: judged.kind.word, summary: judged.summary, judged.remarks,
            byteCount: judged.payload.count)
    }

    private func validate(asDocument name: String, _ asked: ValidateQuery) async throws(Problem)
        -> Response
    {
        let posted = try await context.jsonBytes()
        let judgement = try PayloadJudge(services: services).judge(posted, asDocument: name, asked)
        return verdict(
            kind: name, summary: "", judgement.findings, byteCount: posted.count)
    }

    private func verdict(
        kind: String, summary: String, _ findings: [Finding], byteCount: Int
    ) -> Response {
        .json(
            JSONWriter.object { text in
                text.member("kind", kind)
                text.member("summary", summary)
                text.member("findings", raw: JSONWriter.array(findings) { $0.raw($1.json.bytes()) })
                text.member("bytes", byteCount)
            })
    }

    /// Examines any bytes for what happened to them on their way here.
    func diagnose() async throws(Problem) -> Response {
        let text = try await context.bytes()
        return .json(try await services.doctor.diagnose(text))
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
