import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore

extension GatewayContext {
    /// `POST /msp/<link>/message`: what a customer does, brought by the upstream gateway.
    ///
    /// 200 means stored and flushed, or known already. What is only referred to is fetched before; what
    /// cannot be had is noted as missing beside the words.
    mutating func acceptInbound() async throws(GatewayRefusal) -> Response {
        let link = try admitUpstream()
        let posted = try await readBody()
        let inbound = try UpstreamInbound(
            try judge(posted, from: link), posted, fields: request.headers)
        message = inbound.id
        let known = try await findConversation(of: inbound.customer, over: link)
        conversation = known?.id
        if let known, known.blockedAt != nil {
            dropBlocked()
            return Response(status: .ok)
        }
        switch inbound.kind {
        case .typingStart: signal(.start, in: known)
        case .typingEnd: signal(.end, in: known)
        case .close: try await leave(known)
        case .message(let kind):
            // Before anything is fetched, for that would be stored.
            if let known, try await isErased(inbound.id, in: known) {
                dropErased()
                return Response(status: .ok)
            }
            if let known, try await isCopy(inbound.interactive, of: inbound.id, in: known) {
                return dropped()
            }
            let fetched = try await UpstreamFetch(
                parts: parts, link: link, conversation: known?.id, trace: trace
            ).fetch(inbound, kind)
            // What came by reference is known only now.
            if let known, inbound.interactive == nil,
                try await isCopy(.init(fetched.payload), of: inbound.id, in: known)
            {
                return dropped()
            }
            try await store(fetched, of: inbound, in: known, over: link)
        }
        return Response(status: .ok)
    }

    // MARK: Sender and message

    private mutating func admitUpstream() throws(GatewayRefusal) -> GatewayLink {
        guard let id = request.parameters["link"].flatMap({ GatewayLinkID($0) }),
            let link = parts.links.find(id), link.side == .upstream
        else { throw GatewayRefusal(.notFound, "there is no such endpoint here") }
        self.link = link
        let text = try bearer()
        do throws(TokenFault) {
            let claims = try JSONWebToken.verify(text, key: link.secret)
            try claims.check(
                audience: link.mspID, now: time,
                freshness: .seconds(LinkSettings(link.settings).freshnessSeconds))
        } catch {
            remark("The token is refused: \(error.sentence)")
            throw GatewayRefusal(.forbidden, error.sentence)
        }
        try enter(by: link)
        return link
    }

    private mutating func judge(_ posted: [UInt8], from link: GatewayLink)
        throws(GatewayRefusal) -> Judgement
    {
        let expected = LinkSettings(link.settings).upstreamBusiness ?? link.business
        let judgement = parts.rulebook.judge(
            posted,
            JudgementContext(
                direction: .inbound, now: time, profile: .lenient,
                envelope: ExpectedEnvelope(
                    id: try find("id"), sourceID: try find("source-id"),
                    destinationID: expected.text),
                mayOmitEnvelope: false))
        findings += judgement.findings.map(\.json)
        return judgement
    }

    private func findConversation(
        of customer: Customer, over link: GatewayLink
    ) async throws(GatewayRefusal) -> Conversation? {
        try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: customer.id, with: link.business)
        }
    }

    /// Whether the message is a copy under another id (data model, "The same thing twice").
    private func isCopy(
        _ interactive: UpstreamInbound.Interactive?, of id: MessageID, in conversation: Conversation
    ) async throws(GatewayRefusal) -> Bool {
        guard let interactive else { return false }
        let recent = try await parts.asking { store throws(StoreError) in
            try await store.messages(in: conversation.id, .newest, limit: 20)
        }
        return recent.elements.contains { message in
            guard message.facts.origin == .upstream, message.id != id,
                time.since(message.time) < .seconds(10)
            else { return false }
            return UpstreamInbound.Interactive(message.payload.carriedBytes ?? []) == interactive
        }
    }

    private func isErased(
        _ id: MessageID, in conversation: Conversation
    ) async throws(GatewayRefusal) -> Bool {
        let found = try await parts.asking { store throws(StoreError) in
            try await store.findMessage(id, in: conversation.id)
        }
        return found?.erasedAt != nil
    }

    private mutating func dropped() -> Response {
        remark(
            "A reply of this session with the same content came less than ten seconds ago: dropped."
        )
        return Response(status: .ok)
    }

    // MARK: What follows

    private func signal(_ state: Signal.State, in conversation: Conversation?) {
        guard let conversation else { return }
        parts.broker.signal(
            Signal(
                kind: .typing, business: conversation.business, conversation: conversation.id,
                who: .customer(device: "upstream"), state: state))
    }

    private func leave(_ conversation: Conversation?) async throws(GatewayRefusal) {
        guard let conversation else { return }
        do throws(BrokerError) {
            _ = try await parts.broker.change(
                conversation.id, .leave, by: .customer(device: "upstream"))
        } catch {
            throw refusal(error)
        }
    }

    private mutating func store(
        _ fetched: UpstreamFetch.Fetched, of inbound: UpstreamInbound, in known: Conversation?,
        over link: GatewayLink
    ) async throws(GatewayRefusal) {
        let conversation = known?.id ?? ConversationID(parts.broker.makeID())
        self.conversation = conversation
        let bound = try await parts.asking { store throws(StoreError) in
            try await store.findUpstream(of: conversation)
        }
        // One commit: the message holds its files, and an answer finds the way back.
        let notes = LinkNotes(upstream: bound == link.id ? nil : link.id)
        for file in fetched.missing {
            remark("Kept without what could not be fetched: \(file.reason).")
        }
        let picked = PickedItems.field(of: fetched.payload, fetched.kind).map { [$0] } ?? []
        let answered = try await answered(by: fetched.payload, in: known)
        let submission = Submission(
            conversation: conversation, id: inbound.id, payload: fetched.payload,
            posted: inbound.posted,
            facts: MessageFacts(
                direction: .inbound, kind: fetched.kind, author: .customer(device: "upstream"),
                origin: .upstream, headers: inbound.kept + fetched.missing.map(\.field) + picked,
                warnings: inbound.warnings,
                attachments: fetched.attachments, inReplyTo: answered,
                summary: Summary.text(
                    of: fetched.payload, direction: .inbound,
                    language: Language(locale: inbound.customer.locale))))
        do throws(BrokerError) {
            try await accept(submission, from: inbound, in: known, over: link, notes)
        } catch {
            if case .refused(.idempotencyConflict) = error {
                remark("The id came before with another body: this one is dropped.")
                return
            }
            if case .refused(.messageErased) = error { return dropErased() }
            if case .refused(.customerBlocked) = error { return dropBlocked() }
            // Another first message was stored while this one's files were fetched.
            if known == nil, case .refused(.notFound) = error,
                let now = try await findConversation(of: inbound.customer, over: link)
            {
                return try await store(fetched, of: inbound, in: now, over: link)
            }
            throw refusal(error)
        }
    }

    private mutating func accept(
        _ submission: Submission, from inbound: UpstreamInbound, in known: Conversation?,
        over link: GatewayLink, _ notes: LinkNotes
    ) async throws(BrokerError) {
        guard let known else {
            // Of two first messages at once the second is refused.
            _ = try await parts.broker.open(
                Opening(
                    business: link.business, customer: inbound.customer,
                    conversation: submission.conversation, notes: notes, message: submission))
            return
        }
        let acceptance = try await parts.broker.accept(submission, noting: notes)
        if acceptance.isRepeat {
            remark("The id came before with the same body: dropped.")
            return
        }
        let customer = inbound.described(known.customer)
        if customer != known.customer {
            _ = try await parts.broker.change(
                known.id, .describe(customer), by: .customer(device: "upstream"))
        }
    }

    private func refusal(_ error: BrokerError) -> GatewayRefusal {
        switch error {
        case .refused(let refusal):
            GatewayRefusal(.serviceUnavailable, "not accepted: \(refusal.rawValue)")
        case .store(let failure): parts.refusal(failure)
        }
    }
}
