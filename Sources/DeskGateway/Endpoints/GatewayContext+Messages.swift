import DeskBroker
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// The two endpoints that accept messages.
enum MessageEndpoint: Sendable {
    /// `POST /v1/message`: everything but sign-in requests.
    case message
    /// `POST /v1/authenticate`: sign-in requests only.
    case authenticate
}

extension GatewayContext {
    /// Fields of a provider's that are kept with the message (protocol page 1.3).
    private static let keptFields = ["auto-reply", "msp-agent"]

    /// Accepts a message from a provider and brings it to the customer.
    ///
    /// 200 means that it is stored and flushed. A repeated id is answered with 200 and dropped.
    mutating func acceptMessage(
        _ endpoint: MessageEndpoint
    ) async throws(GatewayRefusal) -> Response {
        let link = try await admit()
        let id = try requireID()
        message = id
        if let place = try find("destination-id"), place.hasPrefix("tel:") {
            return try await acceptInvitation(to: place, id, from: link)
        }
        let posted = try await readBody()
        let conversation = try await requireConversation(of: link)
        self.conversation = conversation.id
        let mode = try await requireBusiness(of: link).mode
        let judgement = parts.rulebook.judge(
            posted, context(for: conversation, of: link, in: mode, id))
        let kind = try accept(judgement, at: endpoint)
        guard !conversation.hasLeft else {
            throw closed("The customer has closed the conversation and has not written since.")
        }
        switch kind {
        case .message(let kind):
            let received = try await receive(kind, judgement, posted, of: link, in: mode)
            return try await store(received, judgement, posted, id, in: conversation, of: link)
        case .typingStart: signal(.start, in: conversation, of: link)
        case .typingEnd: signal(.end, in: conversation, of: link)
        case .close:
            throw GatewayRefusal(.badRequest, "only the customer can close a conversation")
        }
        return Response(status: .ok)
    }

    // MARK: Parts

    private func requireID() throws(GatewayRefusal) -> MessageID {
        let text = try require("id")
        guard UniqueID(text) != nil, let id = MessageID(text) else {
            throw GatewayRefusal(.badRequest, "the header id is no UUID")
        }
        return id
    }

    private func requireConversation(
        of link: GatewayLink
    ) async throws(GatewayRefusal) -> Conversation {
        let text = try require("destination-id")
        guard let customer = CustomerID(text) else {
            throw GatewayRefusal(
                .notFound, "destination-id is no customer: they begin with \(CustomerID.prefix)")
        }
        let found = try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: customer, with: link.business)
        }
        guard let found else {
            throw GatewayRefusal(.notFound, "destination-id is no customer of this business")
        }
        return found
    }

    /// The business of a link: whether it is live or a test decides how its messages are judged.
    func requireBusiness(of link: GatewayLink) async throws(GatewayRefusal) -> Business {
        let found = try await parts.asking { store throws(StoreError) in
            try await store.findBusiness(link.business)
        }
        guard let found else {
            throw GatewayRefusal(.forbidden, "the business of this registration was removed")
        }
        return found
    }

    /// The refusal for a conversation that the customer closed, in the channel's own words; the
    /// wire log has the reason.
    mutating func closed(_ why: String) -> GatewayRefusal {
        remark(why)
        return GatewayRefusal(.gone, "Session not found")
    }

    private func context(
        for conversation: Conversation, of link: GatewayLink, in mode: Mode, _ id: MessageID
    ) -> JudgementContext {
        JudgementContext(
            direction: .outbound, now: time, profile: .lenient, mode: mode,
            capabilities: conversation.customer.capabilities.map {
                CapabilityList(words: $0)
            },
            envelope: ExpectedEnvelope(
                id: id.text, sourceID: link.business.text,
                destinationID: conversation.customer.id.text),
            mayOmitEnvelope: false)
    }

    /// Keeps the findings, and refuses what breaks a rule or belongs to the other endpoint.
    mutating func accept(
        _ judgement: Judgement, at endpoint: MessageEndpoint
    ) throws(GatewayRefusal) -> PayloadKind {
        findings += judgement.findings.map(\.json)
        if let fault = judgement.fault {
            remark("The body is no JSON: \(fault.sentence)")
            throw GatewayRefusal(.badRequest, "the body is no JSON: \(fault.sentence)")
        }
        if let error = judgement.errors.first {
            let more = judgement.errors.count - 1
            let others = more > 0 ? " (and \(more) more, in the wire log)" : ""
            let place = error.pointer.isEmpty ? "" : "\(error.pointer): "
            throw GatewayRefusal(.badRequest, "\(place)\(error.sentence) \(error.fix)\(others)")
        }
        guard let kind = judgement.payload else {
            throw GatewayRefusal(.badRequest, "the body is no message")
        }
        switch (endpoint, kind) {
        case (.message, .message(.authentication)):
            throw GatewayRefusal(.badRequest, "sign-in requests go to /v1/authenticate")
        case (.authenticate, .message(.authentication)), (.message, _): return kind
        case (.authenticate, _):
            throw GatewayRefusal(.badRequest, "/v1/authenticate accepts sign-in requests only")
        }
    }

    private mutating func store(
        _ received: ReceivedMessage, _ judgement: Judgement, _ posted: [UInt8], _ id: MessageID,
        in conversation: Conversation, of link: GatewayLink
    ) async throws(GatewayRefusal) -> Response {
        let facts = MessageFacts(
            direction: .outbound, kind: received.kind, author: .provider(link.mspID),
            origin: .gateway,
            headers: Self.keptFields.compactMap { name in
                request.headers[name].map { HeaderField(name: name, value: $0) }
            },
            warnings: judgement.warningsText, attachments: received.attachments,
            summary: Summary.text(of: received.payload, direction: .outbound))
        do throws(BrokerError) {
            // One commit: the message holds its files, and what it names at the gateway is kept.
            let acceptance = try await parts.broker.accept(
                Submission(
                    conversation: conversation.id, id: id, payload: received.payload,
                    posted: posted,
                    facts: facts), noting: LinkNotes(objects: received.objects))
            if acceptance.isRepeat { remark("The id was sent before with the same body: dropped.") }
        } catch {
            try answer(error)
            return Response(status: .ok)
        }
        return try await dataReference(judgement, id, of: link)
    }

    /// Words a refusal of the broker's; a repeated id is no refusal (protocol page 1.6).
    mutating func answer(_ error: BrokerError) throws(GatewayRefusal) {
        switch error {
        case .refused(.idempotencyConflict):
            remark("The id was sent before with another body: this one is dropped.")
        case .refused(.messageErased): dropErased()
        case .refused(.customerLeft):
            throw closed("The customer has closed the conversation.")
        case .refused(let refusal):
            throw GatewayRefusal(.notFound, "the message was refused: \(refusal.rawValue)")
        case .store(let failure): throw parts.refusal(failure)
        }
    }

    private func signal(
        _ state: Signal.State, in conversation: Conversation, of link: GatewayLink
    ) {
        parts.broker.signal(
            Signal(
                kind: .typing, business: link.business, conversation: conversation.id,
                who: .provider(link.mspID), state: state))
    }
}
