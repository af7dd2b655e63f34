import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Answers the route that sends up to 100 messages at once, each answered for by itself.
struct BatchRoute {
    /// What became of one entry before anything was stored.
    private enum Entry {
        case refused(Problem)
        case submission(Submission)
    }

    /// How many messages are handed to the writer at a time; it commits together all that came.
    private static let atOnce = 10

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Judges every entry, stores the good ones, answers for each in its place.
    ///
    /// While the later ones are judged the earlier ones are written; with an idempotency key all of
    /// them are stored in one commit, so that a repeat finds all or nothing.
    /// Order: messages for one conversation get numbers in the order given.
    func send() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let body = try await context.jsonBytes()
        let (outcomes, conversations) = try await services.batches.pass(body.count) {
            () async throws(Problem) in
            let elements = try elements(of: body)
            var storing = try await judge(elements, body, principal)
            return (try await storing.finish(), elements.map(Self.conversation))
        }
        services.rememberName(of: principal)
        return answer(outcomes, conversations)
    }

    /// Judges every entry and hands over what is good.
    private func judge(
        _ elements: [JSONValue], _ body: [UInt8], _ principal: Principal
    ) async throws(Problem) -> BatchStoring {
        let rate = services.rates.take(
            elements.count, from: RateSubject(principal, peer: context.request.peer))
        guard !rate.isRefused else {
            throw Self.tooManyAtOnce(elements.count, rate)
        }
        let hasKey = context.request.headers.first("idempotency-key") != nil
        let broker = services.broker
        var storing = BatchStoring(services, atOnce: hasKey ? elements.count : Self.atOnce) {
            submissions throws(StoreError) in try await broker.accept(submissions)
        }
        for (place, element) in elements.enumerated() {
            do {
                switch try await entry(element, at: place, principal, body) {
                case .refused(let problem): storing.refuse(problem)
                case .submission(let submission): storing.take(submission)
                }
            } catch {
                // What concerns the whole request concerns only the rest once some is stored.
                guard storing.hasBegun else { throw error }
                storing.refuse(error)
            }
        }
        return storing
    }

    /// A batch larger than the burst is accepted when the whole bucket is full, and owes the rest.
    private static func tooManyAtOnce(_ count: Int, _ rate: RateState) -> Problem {
        var problem = Problem(
            .rateLimited,
            "A batch of \(count) counts as \(count) writes; \(rate.remaining) of \(rate.burst) are "
                + "left, and \(min(count, rate.burst)) are needed. "
                + "Send it again in \(rate.waitSeconds) s.")
        problem.retryAfterSeconds = rate.waitSeconds
        return problem
    }

    private func elements(of body: [UInt8]) throws(Problem) -> [JSONValue] {
        // The whole may have as many values as its messages together; each is checked by itself.
        // The broker traps beyond its own; no flag sets more, and a program that embeds this may.
        let most = min(services.limits.batchMessages, Broker.maximumBatch)
        let limits = JSONLimits(depth: 67, nodes: 20_000 * most)
        var fields = try Fields(body, limits: limits)
        let elements = fields.requireElements("messages", count: 1...most)
        try fields.finish()
        return elements ?? []
    }

    /// The conversation that an entry names, whether or not there is one.
    private static func conversation(of element: JSONValue) -> ConversationID? {
        element["conversation"]?.string.flatMap { ConversationID($0) }
    }

    private func entry(
        _ element: JSONValue, at place: Int, _ principal: Principal, _ body: [UInt8]
    ) async throws(Problem) -> Entry {
        do {
            return .submission(try await submission(element, at: place, principal, body))
        } catch {
            // An error of the whole request belongs to no entry.
            switch error.code {
            case .unavailable, .outcomeUnknown, .storageFull, .badRequest: throw error
            default: return .refused(error)
            }
        }
    }

    private func submission(
        _ element: JSONValue, at place: Int, _ principal: Principal, _ body: [UInt8]
    ) async throws(Problem) -> Submission {
        var fields = try Fields(element)
        let name = fields.requireText("conversation")
        let payload = fields.requireValue("payload")
        let metadata = fields.metadata()
        try fields.finish()
        guard let payload else { throw .notFound }
        let conversation = try await context.requireConversation(named: name)
        let document: JSONDocument
        do throws(JSONError) {
            document = try payload.detached()
        } catch {
            throw Problem(error)
        }
        let judged = try await PayloadJudge(services: services).judge(
            document, for: conversation, profile: .strict)
        guard case .message(let kind) = judged.kind else {
            throw Problem(.invalid, "A batch has messages, no signals.")
        }
        var submission = Submission(
            conversation: conversation.id, id: judged.id, payload: judged.payload,
            posted: judged.compared(with: document.bytes),
            facts: MessageSending.facts(
                judged, kind, principal.author, principal.origin, nil, metadata),
            idempotency: try claim(at: place, principal, body), namesHeldFiles: true)
        submission.assignsAuthor = true
        if !judged.isIDMade { try await services.requireUnscheduled(submission) }
        return submission
    }

    /// Each message has a claim of its own below the request's key, and commits with it.
    private func claim(
        at place: Int, _ principal: Principal, _ body: [UInt8]
    ) throws(Problem) -> IdempotencyClaim? {
        guard let field = context.request.headers.first("idempotency-key") else { return nil }
        guard
            let whole = IdempotencyKey.claim(
                field, credential: principal.credential, context.request, body: body),
            let own = IdempotencyClaim(
                credential: whole.credential, route: "\(whole.route)#\(place)", key: whole.key,
                body: whole.body)
        else { throw IdempotencyKey.malformed }
        return own
    }

    private func answer(
        _ outcomes: [Result<Acceptance, Problem>], _ conversations: [ConversationID?]
    ) -> Response {
        for case .failure(let problem) in outcomes { services.notes.count(problem.code) }
        let authorNames = services.authorNames
        let detail = AnswerDetail(asked: context.request)
        let capacity = outcomes.reduce(64) { sum, outcome in
            guard case .success(let acceptance) = outcome else { return sum + 512 }
            return sum + 64 + detail.capacity(for: acceptance.message)
        }
        var response = Response.json(
            JSONWriter.object(capacity: capacity) { text in
                text.member("results") { text in
                    text.array { text in
                        for (outcome, conversation) in zip(outcomes, conversations) {
                            text.batchResult(outcome, of: conversation, detail, authorNames)
                        }
                    }
                }
            })
        detail.note(in: &response)
        return response
    }
}

extension JSONWriter {
    fileprivate mutating func batchResult(
        _ outcome: Result<Acceptance, Problem>, of conversation: ConversationID?,
        _ detail: AnswerDetail, _ authorNames: AuthorNames
    ) {
        object { text in
            switch outcome {
            case .success(let acceptance):
                text.member("status", 201)
                text.member("repeated", acceptance.isRepeat)
                text.member("message") { $0.accepted(acceptance.message, detail, authorNames) }
            case .failure(let problem):
                text.member("status", problem.code.status.code)
                // What is remembered of the answer quotes what was refused, and is erased with the conversation by this.
                if let conversation { text.member("conversation", conversation.text) }
                text.member("problem", raw: problem.json)
            }
        }
    }
}
