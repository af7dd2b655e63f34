import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Sends one judged payload and answers for it.
struct MessageSending {
    let context: RequestContext
    var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Stores a message, or passes a typing signal on, which is never stored.
    ///
    /// `posted` is what a repeat is compared with; `body` is the request's, for its idempotency key.
    func send(
        _ judged: JudgedPayload, posted: [UInt8], body: [UInt8], to conversation: Conversation,
        as principal: Principal, profile: Profile = .strict, template: TemplateUse? = nil,
        whatsAppTemplate: String? = nil, metadata: Metadata = Metadata()
    ) async throws(Problem) -> Response {
        let kind: MessageKind
        switch judged.kind {
        case .message(let message): kind = message
        case .typingStart: return try await signal(.start, in: conversation, principal)
        case .typingEnd: return try await signal(.end, in: conversation, principal)
        case .close: throw Problem(.invalid, "Only a customer closes a conversation.")
        }
        let query = try SendQuery(
            context.request.query, in: conversation.id, by: principal,
            now: services.time.now())
        var submission = Submission(
            conversation: conversation.id, id: judged.id, payload: judged.payload,
            posted: judged.compared(with: posted),
            facts: Self.facts(
                judged, kind, principal.author, principal.origin, template, metadata),
            namesHeldFiles: true, lastSeen: query.lastSeen)
        submission.assignsAuthor = true
        if let whatsAppTemplate { submission.facts.whatsAppTemplate = whatsAppTemplate }
        if !judged.isIDMade { try await services.requireUnscheduled(submission) }
        submission.idempotency = try claim(of: principal, body: body)
        let settled = try await settling(query.suggestion, by: submission)
        if let dueAt = query.dueAt, try await !isStored(submission) {
            return try await schedule(
                submission, posted: posted, profile: profile, at: dueAt, query.draft, settled)
        }
        let acceptance = try await accept(
            submission, to: conversation, sending: query.draft, settling: settled)
        services.rememberName(of: principal)
        if let draft = query.draft {
            services.signalDraft(.removed, draft.version, of: draft.agent, in: conversation)
        }
        return answer(acceptance)
    }

    /// The first answer to a request that comes again with its `Idempotency-Key`; nil for every other request.
    ///
    /// It is looked for before anything that the request names, which may be another by now, or gone: a
    /// template, a file, a suggestion.
    /// - Throws: `message_erased` where the message was erased since, `idempotency_mismatch` for another body.
    func repeated(
        body: [UInt8], to conversation: Conversation, as principal: Principal
    ) async throws(Problem) -> Response? {
        guard let claim = try claim(of: principal, body: body) else { return nil }
        let known = try await services.asking {
            store throws(StoreError) -> (message: StoredMessage, isSame: Bool)? in
            guard let answer = try await store.findAnswer(claim.scope),
                case .message(conversation.id, let id) = answer.content,
                let message = try await store.findMessage(id, in: conversation.id)
            else { return nil }
            try await store.confirmReads()
            return (message, answer.body == claim.body)
        }
        guard let known else { return nil }
        // Whatever the body: the digest of the first one went with the message's content.
        guard known.message.erasedAt == nil else { throw Problem(Refusal.messageErased) }
        guard known.isSame else { throw Problem(Refusal.idempotencyMismatch) }
        services.rememberName(of: principal)
        return answer(Acceptance(message: known.message, isRepeat: true))
    }

    private func claim(
        of principal: Principal, body: [UInt8]
    ) throws(Problem) -> IdempotencyClaim? {
        guard let field = context.request.headers.first("idempotency-key") else { return nil }
        guard
            let claim = IdempotencyKey.claim(
                field, credential: principal.credential, context.request, body: body)
        else { throw IdempotencyKey.malformed }
        return claim
    }

    /// Has the message stored; where a colleague answered meanwhile, the refusal says who.
    private func accept(
        _ submission: Submission, to conversation: Conversation, sending draft: SentDraft?,
        settling suggestion: SettleSuggestion?
    ) async throws(Problem) -> Acceptance {
        do throws(Problem) {
            return try await services.brokering { broker throws(BrokerError) in
                try await broker.accept(submission, sending: draft, settling: suggestion)
            }
        } catch {
            if error.code == .suggestionSettled, suggestion != nil, try await isRepeat(submission) {
                // The same request came first, and its message has settled the suggestion.
                return try await accept(
                    submission, to: conversation, sending: draft, settling: nil)
            }
            guard error.code == .answeredMeanwhile, let seen = submission.lastSeen else {
                throw try await services.showingControl(of: conversation, in: error)
            }
            var problem = error
            problem.current = try await answers(
                after: seen, beside: submission.facts.author, in: submission.conversation)
            throw problem
        }
    }

    /// What a message settles that was made of a suggestion; nil for one that was stored before, whose
    /// request is a repeat.
    ///
    /// - Throws: `suggestion_settled` where it is not there any more.
    private func settling(
        _ id: SuggestionID?, by submission: Submission
    ) async throws(Problem) -> SettleSuggestion? {
        guard let id, try await !isRepeat(submission) else { return nil }
        let waiting = try await services.asking { store throws(StoreError) in
            try await store.suggestions(in: submission.conversation)
        }
        guard let suggestion = waiting.first(where: { $0.id == id }) else {
            // The same request, or a delayed send that is asked for again, has settled it already.
            if try await isScheduled(submission) { return nil }
            if try await isRepeat(submission) { return nil }
            throw Problem(Refusal.suggestionSettled)
        }
        let isSame = SuggestedMessage.isSame(suggestion.payload, as: submission.payload)
        return SettleSuggestion(
            id, in: submission.conversation, as: isSame ? .sent : .edited,
            message: submission.id, by: submission.facts.author, at: services.time.now())
    }

    /// Whether an earlier request stored the message, under its id or by its `Idempotency-Key`.
    private func isRepeat(_ submission: Submission) async throws(Problem) -> Bool {
        if try await isStored(submission) { return true }
        guard let claim = submission.idempotency else { return false }
        return try await services.asking { store throws(StoreError) in
            try await store.findAnswer(claim.scope) != nil
        }
    }

    /// The newest of others' answers after a message, and how many of them a page has, as JSON text.
    func answers(
        after seen: SequenceNumber, beside author: Author, in conversation: ConversationID
    ) async throws(Problem) -> [UInt8] {
        let authorNames = services.authorNames
        let others = try await services.asking { store throws(StoreError) in
            let page = try await store.messages(in: conversation, .newest, limit: 300)
            let others = page.elements.filter {
                $0.sequence > seen && $0.facts.direction == .outbound
                    && $0.facts.author != author && !$0.facts.author.isByItself
            }
            try await authorNames.load(others.map(\.facts.author))
            return others
        }
        guard let newest = others.last else { return [] }
        return JSONWriter.object { text in
            text.member("sequence", Int(newest.sequence.value))
            text.member("id", newest.id.text)
            text.member("author") { $0.author(newest.facts.author, authorNames) }
            text.member("time", newest.time)
            text.member("summary", newest.facts.summary)
            text.member("count", others.count)
        }
    }

    /// What is kept of a judged message beside its payload.
    static func facts(
        _ judged: JudgedPayload, _ kind: MessageKind, _ author: Author, _ origin: Origin,
        _ template: TemplateUse?, _ metadata: Metadata = Metadata()
    ) -> MessageFacts {
        var facts = MessageFacts(
            direction: .outbound, kind: kind, author: author, origin: origin,
            warnings: judged.warnings, template: template, attachments: judged.attachments,
            summary: judged.summary)
        if !metadata.isEmpty { facts.metadata = metadata }
        return facts
    }

    /// The answer to who sent a message, or sent it again.
    func answer(_ acceptance: Acceptance) -> Response {
        let detail = AnswerDetail(asked: context.request)
        var text = JSONWriter(capacity: detail.capacity(for: acceptance.message))
        text.accepted(acceptance.message, detail, services.authorNames)
        var response = Response.json(text.bytes, status: .created)
        detail.note(in: &response)
        if acceptance.isRepeat { response.headers.append("Idempotency-Replayed", "true") }
        return response
    }

    private func signal(
        _ state: Signal.State, in conversation: Conversation, _ principal: Principal
    ) async throws(Problem) -> Response {
        try await services.requireControl(of: conversation, principal)
        services.broker.signal(
            Signal(
                kind: .typing, business: conversation.business, conversation: conversation.id,
                who: principal.author, state: state))
        return .json(
            JSONWriter.object {
                $0.member("kind", "typing")
                $0.member("state", state.rawValue)
            }, status: .accepted)
    }
}

extension Services {
    /// Remembers the caller's name, which answers and events show.
    func rememberName(of principal: Principal) {
        switch principal {
        case .key(let key): authorNames.remember(key)
        case .agent(let agent): authorNames.remember(agent.agent)
        case .sandbox, .customer: break
        }
    }
}
