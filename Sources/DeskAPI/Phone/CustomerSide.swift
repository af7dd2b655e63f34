import DeskBroker
import DeskCrypto
package import DeskMessages
package import DeskModel
import DeskStore
package import DeskWeb

/// The customer side of a conversation: a phone or a script.
package struct CustomerSide: Sendable {
    let services: Services
    let business: Business
    package let author: Author
    let origin: Origin

    package init(services: Services, business: Business, author: Author, origin: Origin) {
        self.services = services
        self.business = business
        self.author = author
        self.origin = origin
    }

    /// What our phone page can show; it signs in for test businesses only.
    var capabilities: [String] {
        let isTest = business.mode == .test
        let signIn = isTest ? Capability.allCases.filter(\.isSignIn) : []
        return (Capability.allCases.filter { !$0.isSignIn } + signIn).map(\.rawValue)
    }

    /// Says something in a conversation that is there.
    package func say(
        _ posted: PostedText, in conversation: Conversation, attachments: [AttachmentUse] = [],
        dictionaries: [[UInt8]] = [], code: JoinCode? = nil
    ) async throws(Problem) -> Acceptance {
        let customer = described(conversation.customer, posted)
        let message = try submission(
            posted, conversation.id, customer, attachments, dictionaries, code: code)
        guard let code else {
            let acceptance = try await services.brokering { broker throws(BrokerError) in
                try await broker.accept(message)
            }
            if customer != conversation.customer {
                _ = try await services.brokering { broker throws(BrokerError) in
                    try await broker.change(conversation.id, .describe(customer), by: author)
                }
            }
            return acceptance
        }
        let opening = Opening(
            business: business.id, customer: customer, conversation: conversation.id,
            code: code.link, message: message)
        return try await services.brokering { broker throws(BrokerError) in
            try await broker.open(opening)
        }
    }

    /// Begins a conversation with its first message.
    package func begin(
        _ posted: PostedText, as customer: Customer, _ conversation: ConversationID,
        session: Session?, code: JoinCode?
    ) async throws(Problem) -> Acceptance {
        let customer = described(customer, posted)
        let opening = Opening(
            business: business.id, customer: customer, conversation: conversation,
            session: session, code: code?.link,
            message: try submission(posted, conversation, customer, [], [], code: code))
        return try await services.brokering { broker throws(BrokerError) in
            try await broker.open(opening)
        }
    }

    /// An answer as it was stored, and where the customer's browser goes next, if anywhere.
    package struct Answered: Sendable {
        package var acceptance: Acceptance
        /// The business's page of a sign-in.
        package var redirect: String?
    }

    /// Answers a card, if the card offered the answer and still does.
    ///
    /// The work of a device is done here: the merchant is asked to accept a payment, and a sign-in
    /// brings its token or its code. Phones and scripts both come this way.
    package func choose(
        _ choice: PostedChoice, posted: [UInt8], in conversation: Conversation
    ) async throws(Problem) -> Answered {
        guard UniqueID(choice.id) != nil, let id = MessageID(choice.id) else {
            throw Problem(.invalid, "id must be a UUID.")
        }
        // Before the merchant is asked: an answer that was erased is not given a second time.
        if let known = try await findMessage(id, in: conversation), known.erasedAt != nil {
            throw Problem(Refusal.messageErased)
        }
        guard choice.choice.settles else {
            return try await answer(choice, id, posted: posted, in: conversation)
        }
        // A request is settled once: the second caller looks after the first answer was stored.
        let name = "settling \(conversation.id.text) \(choice.inReplyTo)"
        let result = try await services.asking { store throws(StoreError) in
            try await store.withLease(name) { () async -> Result<Answered, Problem> in
                do throws(Problem) {
                    return .success(
                        try await answer(choice, id, posted: posted, in: conversation))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private func answer(
        _ choice: PostedChoice, _ id: MessageID, posted: [UInt8], in conversation: Conversation
    ) async throws(Problem) -> Answered {
        let request = try await requireOffer(choice, id, in: conversation)
        // No merchant is charged for what the request does not offer.
        if case .payment = choice.choice {
            _ = try reply(to: request, with: choice.choice, as: id, in: conversation)
        }
        let completed = try await complete(choice, as: id, to: request, in: conversation)
        let reply = try reply(to: request, with: completed.choice, as: id, in: conversation)
        let judgement = judge(reply.payload, from: conversation.customer, as: id)
        // What was typed into a form is the customer's; all else is copied from what was asked.
        if reply.kind == .form, judgement.isRefused { throw Problem(judgement) }
        let facts = MessageFacts(
            direction: .inbound, kind: reply.kind, author: author, origin: origin,
            headers: PickedItems.field(of: reply.payload, reply.kind).map { [$0] } ?? [],
            warnings: judgement.warningsText, inReplyTo: request.id, summary: reply.summary)
        let submission = Submission(
            conversation: conversation.id, id: id, payload: reply.payload, posted: posted,
            facts: facts)
        let settles = choice.choice.settles && SettlingAnswer.isSuccess(reply.payload)
        let acceptance = try await services.brokering { broker throws(BrokerError) in
            guard settles else { return try await broker.accept(submission) }
            return try await broker.accept(submission, settling: request.id)
        }
        if !acceptance.isRepeat { await follow(choice, to: request, in: conversation) }
        return Answered(acceptance: acceptance, redirect: completed.redirect)
    }

    private func reply(
        to request: StoredMessage, with choice: Choice, as id: MessageID,
        in conversation: Conversation
    ) throws(Problem) -> Reply {
        let customer = conversation.customer
        var envelope = ReplyEnvelope(
            id: id.text, sourceID: customer.id.text, destinationID: business.id.text,
            locale: customer.locale, newSession: Self.session(of: id))
        envelope.intent = customer.intent
        envelope.group = customer.group
        do throws(ReplyError) {
            return try Reply.make(
                to: request.payload.carriedBytes ?? [], choice: choice, envelope: envelope,
                now: services.time.now())
        } catch {
            throw Problem(error)
        }
    }

    /// What a customer says and answers is judged like every other message, leniently.
    private func judge(
        _ payload: [UInt8], from customer: Customer, as id: MessageID
    ) -> Judgement {
        services.rulebook.judge(
            payload,
            JudgementContext(
                direction: .inbound, now: services.time.now(), profile: .lenient,
                mode: business.mode,
                envelope: ExpectedEnvelope(
                    id: id.text, sourceID: customer.id.text, destinationID: business.id.text),
                mayOmitEnvelope: false))
    }

    /// Says that the customer writes, or stopped.
    package func signalTyping(_ state: Signal.State, in conversation: ConversationID) {
        services.broker.signal(
            Signal(
                kind: .typing, business: business.id, conversation: conversation, who: author,
                state: state))
    }

    // MARK: Parts

    /// The session that an answer begins; the same answer always begins the same one.
    private static func session(of answer: MessageID) -> String {
        let digest = SHA256.digest(Array("session \(answer.text)".utf8))
        return UniqueID(bytes: digest.prefix(16))?.text ?? answer.text
    }

    private func described(_ known: Customer, _ posted: PostedText) -> Customer {
        var customer = known
        customer.locale = posted.locale ?? known.locale
        // The two belong together: what one address carried says nothing of another's.
        if posted.entry.intent != nil || posted.entry.group != nil {
            customer.intent = posted.entry.intent
            customer.group = posted.entry.group
        }
        customer.capabilities = capabilities
        return customer
    }

    private func submission(
        _ posted: PostedText, _ conversation: ConversationID, _ customer: Customer,
        _ attachments: [AttachmentUse], _ dictionaries: [[UInt8]], code: JoinCode?
    ) throws(Problem) -> Submission {
        let payload = InboundText.payload(
            posted, from: customer, to: business.id, attachments: dictionaries)
        let judgement = judge(payload, from: customer, as: posted.id)
        if judgement.isRefused { throw Problem(judgement) }
        let facts = MessageFacts(
            direction: .inbound, kind: .text, author: author, origin: origin,
            headers: [
                HeaderField(
                    name: "capability-list", value: capabilities.joined(separator: ","))
            ] + (posted.page.map { [$0.header] } ?? []), warnings: judgement.warningsText,
            attachments: attachments, entryCode: code?.id,
            summary: Summary.text(
                of: judgement, direction: .inbound, language: Language(locale: customer.locale)))
        return Submission(
            conversation: conversation, id: posted.id, payload: payload, posted: posted.posted,
            facts: facts, namesHeldFiles: true)
    }

    private func requireOffer(
        _ choice: PostedChoice, _ id: MessageID, in conversation: Conversation
    ) async throws(Problem) -> StoredMessage {
        guard let name = MessageID(choice.inReplyTo) else { throw .nothingOffered }
        let found = try await requireRequest(name, in: conversation)
        if choice.choice.settles, try await isSettled(found, except: id) {
            throw Problem(
                .notOffered,
                found.facts.kind == .payment
                    ? "This request is paid already." : "The customer has signed in already.")
        }
        return found
    }

    /// A message of the business that the customer still has.
    func requireRequest(
        _ id: MessageID, in conversation: Conversation
    ) async throws(Problem) -> StoredMessage {
        let found = try await services.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
        guard let found, found.facts.direction == .outbound, found.erasedAt == nil,
            found.sequence > conversation.deletedUpTo
        else { throw .nothingOffered }
        return found
    }

    /// Whether the customer has paid, or signed in, with another answer than this one.
    func isSettled(
        _ request: StoredMessage, except id: MessageID?
    ) async throws(Problem) -> Bool {
        let answer = try await services.asking { store throws(StoreError) in
            try await store.findSettlement(of: request.id, in: request.conversation)
        }
        return answer.map { $0 != id } ?? false
    }
}

extension Choice {
    /// Whether a request accepts one such answer that succeeds, and no other after it.
    fileprivate var settles: Bool {
        switch self {
        case .payment, .signIn: true
        case .picked, .app, .form, .invitation: false
        }
    }
}

extension Problem {
    package static let nothingOffered = Problem(
        .notOffered, "There is no message of this id that offers a choice.")

    /// The refusal of a choice.
    init(_ error: ReplyError) {
        switch error.code {
        case .badChoice: self.init(.invalid, "The choice cannot be read: \(error.detail).")
        case .past: self.init(.notOffered, "The answer is offered no more: \(error.detail).")
        case .wrongKind, .notOffered, .tooMany:
            self.init(.notOffered, "The answer was not offered: \(error.detail).")
        }
    }
}
