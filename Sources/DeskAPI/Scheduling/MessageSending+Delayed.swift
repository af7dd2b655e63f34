import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension MessageSending {
    /// Whether a message of this id is stored: then the request is a repeat, and is answered as one.
    func isStored(_ submission: Submission) async throws(Problem) -> Bool {
        try await services.asking { store throws(StoreError) in
            try await store.findMessage(submission.id, in: submission.conversation) != nil
        }
    }

    /// Whether a message of this id waits to be sent.
    func isScheduled(_ submission: Submission) async throws(Problem) -> Bool {
        try await services.asking { store throws(StoreError) in
            try await store.dueWork(.send, in: submission.conversation)
                .contains { $0.name.subject == submission.id.text }
        }
    }

    /// Has a judged message sent later; what would be refused now is refused now.
    ///
    /// Until then the message has no number, and no customer's page shows it.
    func schedule(
        _ submission: Submission, posted: [UInt8], profile: Profile, at dueAt: Timestamp,
        _ draft: SentDraft?, _ suggestion: SettleSuggestion? = nil
    ) async throws(Problem) -> Response {
        guard !context.request.headers.contains("idempotency-key") else {
            throw Problem(
                .badRequest,
                "A delayed message is recognised by its id: send it without Idempotency-Key.")
        }
        let conversation = try context.requireConversation()
        guard !conversation.hasLeft else { throw Problem(Refusal.customerLeft) }
        if let end = conversation.freeFormUntil, dueAt >= end {
            throw Problem(Refusal.replyWindowOver)
        }
        let facts = submission.facts
        if let seen = submission.lastSeen {
            let answers = try await answers(
                after: seen, beside: facts.author, in: conversation.id)
            guard answers.isEmpty else {
                var problem = Problem(Refusal.answeredMeanwhile)
                problem.current = answers
                throw problem
            }
        }
        let message = DelayedMessage(
            posted: posted, profile: profile, origin: facts.origin, kind: facts.kind,
            summary: facts.summary, lastSeen: submission.lastSeen, template: facts.template,
            metadata: facts.metadata)
        let now = services.time.now()
        let work = DueWork(
            DueWork.Name(.send, in: conversation.id, on: submission.id.text),
            of: conversation.business, dueAt: dueAt, madeAt: now,
            author: facts.author, data: message.bytes)
        if let known = try await findScheduled(like: work) { return try await repeated(known) }
        // Longer than it waits: where it is refused then, its author may send it again.
        try await services.keep(
            facts.attachments, ofWaitingIn: conversation.id,
            until: dueAt.advanced(by: .seconds(services.limits.memberUploadHours * 3_600)),
            by: facts.author)
        do throws(Problem) {
            try await services.brokering { broker throws(BrokerError) in
                try await broker.schedule(
                    work, sending: draft, settling: suggestion, data: work.eventData())
            }
        } catch {
            // Another request with the same message came first.
            guard error.code == .idempotencyConflict,
                let known = try await findScheduled(like: work)
            else { throw try await services.showingControl(of: conversation, in: error) }
            return try await repeated(known)
        }
        if let draft {
            services.signalDraft(.removed, draft.version, of: draft.agent, in: conversation)
        }
        return answer(work)
    }

    /// What an earlier request with the same message scheduled; nil for a new one.
    ///
    /// - Throws: `idempotency_conflict` for another message of the id, `invalid` where there are too
    ///   many.
    private func findScheduled(like work: DueWork) async throws(Problem) -> DueWork? {
        let waiting = try await services.asking { store throws(StoreError) in
            try await store.dueWork(.send, in: work.name.conversation)
        }
        if let known = waiting.first(where: { $0.name == work.name }) {
            guard known.author == work.author, known.data == work.data else {
                throw Problem(Refusal.idempotencyConflict)
            }
            return known
        }
        guard waiting.count < services.limits.delayedPerConversation else {
            throw Problem(
                .invalid,
                "\(waiting.count) messages of this conversation wait to be sent, which is all that "
                    + "may: wait, or withdraw some.")
        }
        return nil
    }

    /// The answer to who had a message sent later before.
    private func repeated(_ known: DueWork) async throws(Problem) -> Response {
        try await services.asking { store throws(StoreError) in try await store.confirmReads() }
        return answer(known)
    }

    private func answer(_ work: DueWork) -> Response {
        if let principal = context.principal { services.rememberName(of: principal) }
        let authorNames = services.authorNames
        return .json(
            JSONWriter.object { text in
                text.member("scheduled") { $0.scheduled(work, authorNames) }
            }, status: .accepted)
    }
}

extension Services {
    /// Goes on unless a message of another author waits to be sent under an id that a request stated: when it is
    /// due its id would be known already, and its author could not have it sent any more.
    ///
    /// - Throws: `idempotency_conflict`. One that was refused when it was due waits for its author alone.
    func requireUnscheduled(_ submission: Submission) async throws(Problem) {
        let name = DueWork.Name(.send, in: submission.conversation, on: submission.id.text)
        let known = try await asking { store throws(StoreError) in
            try await store.findDueWork(name)
        }
        guard let known, known.failure == nil, known.author != submission.facts.author else {
            return
        }
        throw Problem(Refusal.idempotencyConflict)
    }
}
