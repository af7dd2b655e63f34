import DeskBroker
import DeskCrypto
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskStore
import DeskTranslate

extension GatewayContext {
    /// What is known of one message before it is stored.
    private struct Arrival {
        let message: WhatsAppInbound
        let id: MessageID
        let customer: Customer
        let link: GatewayLink
        let secrets: WhatsAppSecrets
        /// The element of the webhook, as it came.
        let posted: [UInt8]
        var known: Conversation?
    }

    /// What is stored of one message.
    private struct Stored {
        var payload: [UInt8]
        var kind = MessageKind.text
        var attachments: [AttachmentUse] = []
        var headers: [HeaderField] = []
        var inReplyTo: MessageID?
    }

    /// Stores a customer's message; one that came before is dropped.
    mutating func accept(
        _ element: JSONValue, of value: JSONValue, over link: GatewayLink,
        _ secrets: WhatsAppSecrets
    ) async throws(GatewayRefusal) {
        guard let message = WhatsAppInbound(element),
            let customer = Self.customer(of: message, in: value)
        else {
            remark(
                "A message of the type \((element["type"]?.string ?? "").prefix(64)) is dropped.")
            return
        }
        let id = WhatsAppNames.message(message.id, over: link.id)
        self.message = id
        let known = try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: customer.id, with: link.business)
        }
        conversation = known?.id
        guard known?.blockedAt == nil else { return dropBlocked() }
        let losses = message.losses.filter { message.quoted == nil || !Self.isQuote($0) }
        for loss in losses.prefix(Self.mostLosses) {
            remark("\(loss.kind.rawValue): \(loss.pointer): \(loss.reason)")
        }
        if losses.count > Self.mostLosses {
            remark("\(losses.count - Self.mostLosses) more of it were lost.")
        }
        if let known {
            let same = try await parts.asking { store throws(StoreError) in
                try await store.findMessage(id, in: known.id)
            }
            // Before anything is fetched, for that would be stored.
            if let same {
                // Its first answer may have been 503 for a standby that did not have it.
                try await parts.asking { store throws(StoreError) in try await store.confirmReads()
                }
                if same.erasedAt != nil { return dropErased() }
                remark("The message came before: dropped.")
                return
            }
        }
        let arrival = Arrival(
            message: message, id: id, customer: customer, link: link, secrets: secrets,
            posted: Array(element.rawBytes), known: known)
        var stored = try await read(arrival)
        if stored.inReplyTo == nil, let name = message.quoted {
            stored.inReplyTo = try await quoted(name, in: known, over: link)?.id
        }
        try await store(stored, of: arrival)
    }

    private static func customer(of message: WhatsAppInbound, in value: JSONValue) -> Customer? {
        guard let id = WhatsAppNames.customer(message.from) else { return nil }
        let contact = elements(value["contacts"]).first {
            $0["wa_id"]?.equals(message.from) == true
        }
        return Customer(
            id: id,
            name: contact?["profile"]?["name"]?.string.flatMap { WhatsAppNames.person($0) },
            // What the translations show there as what it is.
            capabilities: [Capability.quick, .list, .time].map(\.rawValue))
    }

    // MARK: Content

    private mutating func read(_ arrival: Arrival) async throws(GatewayRefusal) -> Stored {
        switch arrival.message.content {
        case .text(let text):
            return Stored(payload: payload(arrival, body: text))
        case .reaction(let reaction):
            return try await read(reaction, arrival)
        case .file(let file):
            return try await read(file, arrival)
        case .answer(let answer):
            if let reply = try await reply(answer, arrival) { return reply }
            remark("The answer belongs to no question of ours: it becomes a text of its words.")
            return Stored(payload: payload(arrival, body: answer.title))
        }
    }

    private func payload(_ arrival: Arrival, body: String, attachments: [JSON] = []) -> [UInt8] {
        var members: [(String, JSON)] = [
            ("v", .integer(1)), ("id", .string(arrival.id.text)), ("type", "text"),
            ("sourceId", .string(arrival.customer.id.text)),
            ("destinationId", .string(arrival.link.business.text)), ("body", .string(body)),
        ]
        if !attachments.isEmpty { members.append(("attachments", .array(attachments))) }
        return JSON.object(members).bytes()
    }

    private mutating func read(
        _ reaction: WhatsAppInbound.Reaction, _ arrival: Arrival
    ) async throws(GatewayRefusal) -> Stored {
        var about: StoredMessage?
        if let known = arrival.known {
            about = try await find(reaction.target, in: known, over: arrival.link)
        }
        if about == nil { remark("The message that the reaction is about is not known.") }
        let words = about.map(\.facts.summary).flatMap { $0.isEmpty ? nil : $0 }
        let tapback = Tapback(sign: reaction.emoji)
        let text =
            tapback == .reacted
            ? Tapback.sentence(reaction.emoji ?? "", about: words)
            : tapback.sentence(about: words, locale: nil)
        var stored = Stored(payload: payload(arrival, body: text))
        stored.headers = [HeaderField(name: Tapback.headerName, value: tapback.rawValue)]
        return stored
    }

    /// The answer to a question of ours, as the question's own kind of answer.
    private mutating func reply(
        _ answer: WhatsAppInbound.Answer, _ arrival: Arrival
    ) async throws(GatewayRefusal) -> Stored? {
        guard let known = arrival.known,
            let named = WhatsAppNames.readAnswer(answer.identifier)
        else { return nil }
        let question = try await parts.asking { store throws(StoreError) in
            try await store.findMessage(named.message, in: known.id)
        }
        guard let question, question.facts.direction == .outbound, question.erasedAt == nil,
            let asked = question.payload.carriedBytes
        else { return nil }
        let translation: Translation
        do throws(WhatsAppFault) {
            translation = try WhatsAppParts.translate(asked, parts.translator)
        } catch {
            return nil
        }
        let identifiers = translation.answerIdentifiers
        guard identifiers.indices.contains(named.place),
            let identifier = identifiers[named.place]
        else { return nil }
        do throws(ReplyError) {
            let reply = try Reply.make(
                to: asked, choice: .picked(question.facts.kind, identifiers: [identifier]),
                envelope: ReplyEnvelope(
                    id: arrival.id.text, sourceID: arrival.customer.id.text,
                    destinationID: arrival.link.business.text, locale: nil,
                    newSession: parts.broker.makeID().text))
            var stored = Stored(payload: reply.payload, kind: reply.kind)
            stored.inReplyTo = question.id
            return stored
        } catch {
            remark("The answer was not offered, or the question asks nothing.")
            return nil
        }
    }

    // MARK: Files

    /// Seconds within which a file is asked for again: Meta waits some twenty for the answer.
    private static let patience = Duration.seconds(7)
    /// Most times that one file is asked for.
    private static let attempts = 5

    private mutating func read(
        _ file: WhatsAppInbound.File, _ arrival: Arrival
    ) async throws(GatewayRefusal) -> Stored {
        let body = "\u{FFFC}" + (file.caption.map { " " + $0 } ?? "")
        do throws(WhatsAppFault) {
            let blob = try await fetch(file, arrival)
            let use = AttachmentUse(
                id: blob.id, name: file.name, mediaType: file.mediaType,
                byteCount: blob.byteCount)
            var stored = Stored(
                payload: payload(arrival, body: body, attachments: [dictionary(of: use)]))
            stored.attachments = [use]
            return stored
        } catch {
            guard error.outlook != .here else {
                throw GatewayRefusal(.serviceUnavailable, "\(error.detail), try again")
            }
            let missing = MissingFile(place: 0, reason: error.detail)
            remark("Kept without what could not be fetched: \(missing.reason).")
            let dictionary: JSON = [
                "name": .string(file.name), "mimeType": .string(file.mediaType),
            ]
            var stored = Stored(payload: payload(arrival, body: body, attachments: [dictionary]))
            stored.headers = [missing.field]
            return stored
        }
    }

    /// What the payload says of a file that lies here; for a provider it is written anew.
    private func dictionary(of use: AttachmentUse) -> JSON {
        let digest = use.id.digest.bytes
        return .raw(
            AttachmentWire(
                url: "\(parts.origin)/api/attachments/\(use.id.text)",
                owner: MediaObjectStore.owner,
                key: SHA256.digest(Array("attachment key ".utf8) + digest),
                signature: MediaObjectStore.signature(of: digest), byteCount: use.byteCount
            ).text(of: use, .inbound))
    }

    /// Asks again, after a pause, until the file is there, or finally refused, or for long enough.
    ///
    /// Where what came before it in the post spent the time, the post comes again and begins with this one. So each
    /// post stores one message at least, and one whose file is never there in time is stored without it.
    private func fetch(
        _ file: WhatsAppInbound.File, _ arrival: Arrival
    ) async throws(WhatsAppFault) -> Blob {
        let client = WhatsAppClient(
            parts: parts, link: arrival.link, secrets: arrival.secrets,
            conversation: arrival.known?.id, message: arrival.id, trace: trace)
        var pause = Duration.milliseconds(50)
        let late = WhatsAppFault(
            status: nil, detail: "the files of this post take too long for one answer", .here)
        if hasStored, begin.duration(to: parts.time.instant()) >= Self.patience { throw late }
        for attempt in 1... {
            do throws(WhatsAppFault) {
                let passed = begin.duration(to: parts.time.instant())
                return try await client.fetch(
                    file.id, timeout: max(.seconds(1), Self.patience - passed),
                    longest: max(.seconds(1), UpstreamFetch.longest - passed))
            } catch {
                guard error.outlook == .later else { throw error }
                let isLate = begin.duration(to: parts.time.instant()) + pause >= Self.patience
                if isLate, hasStored { throw late }
                guard attempt < Self.attempts, !isLate else { throw error }
            }
            // Safe: the end of the server cuts the pause short.
            try? await parts.time.sleep(pause)
            pause *= 2
        }
        preconditionFailure("an endless loop ended")
    }

    // MARK: Storing

    private mutating func store(
        _ stored: Stored, of arrival: Arrival
    ) async throws(GatewayRefusal) {
        let conversation = arrival.known?.id ?? ConversationID(parts.broker.makeID())
        self.conversation = conversation
        let judgement = parts.rulebook.judge(
            stored.payload, JudgementContext(direction: .inbound, now: time, profile: .lenient))
        let picked = PickedItems.field(of: stored.payload, stored.kind).map { [$0] } ?? []
        var facts = MessageFacts(
            direction: .inbound, kind: stored.kind, author: .customer(device: "whatsapp"),
            origin: .upstream, headers: stored.headers + picked,
            warnings: judgement.findingsText, attachments: stored.attachments,
            inReplyTo: stored.inReplyTo,
            summary: Summary.text(of: stored.payload, direction: .inbound))
        // The id is computed from it, and does not lead back; it is what a read mark names.
        facts.whatsAppName = arrival.message.id
        let submission = Submission(
            conversation: conversation, id: arrival.id, payload: stored.payload,
            posted: arrival.posted, facts: facts)
        let notes = LinkNotes(
            upstream: arrival.link.id, freeFormUntil: end(of: arrival.message))
        do throws(BrokerError) {
            try await accept(submission, of: arrival, notes)
            hasStored = true
        } catch {
            switch error {
            case .refused(.idempotencyConflict):
                remark("The message came before with another content: this one is dropped.")
            case .refused(.messageErased): dropErased()
            case .refused(.customerBlocked): dropBlocked()
            case .refused(.notFound) where arrival.known == nil:
                try await store(stored, behindFirst: arrival)
            case .refused(let refusal):
                throw GatewayRefusal(.serviceUnavailable, "not accepted: \(refusal.rawValue)")
            case .store(let failure): throw parts.refusal(failure)
            }
        }
    }

    /// Stores a message whose customer was unknown when it came: another first one was stored meanwhile.
    private mutating func store(
        _ stored: Stored, behindFirst arrival: Arrival
    ) async throws(GatewayRefusal) {
        var again = arrival
        again.known = try await parts.asking { store throws(StoreError) in
            try await store.findConversation(of: arrival.customer.id, with: arrival.link.business)
        }
        guard again.known != nil else {
            throw GatewayRefusal(.serviceUnavailable, "not accepted: not_found")
        }
        try await store(stored, of: again)
    }

    /// Until when the business may answer: a day after the customer sent the message, and never more than a day
    /// from now.
    private func end(of message: WhatsAppInbound) -> Timestamp {
        let sent = message.seconds.map { Timestamp(seconds: $0) } ?? time
        return min(sent, time).advanced(by: WhatsAppSettings.replyWindow)
    }

    private func accept(
        _ submission: Submission, of arrival: Arrival, _ notes: LinkNotes
    ) async throws(BrokerError) {
        guard let known = arrival.known else {
            // Of two first messages at once the second is refused.
            _ = try await parts.broker.open(
                Opening(
                    business: arrival.link.business, customer: arrival.customer,
                    conversation: submission.conversation, notes: notes, message: submission))
            return
        }
        _ = try await parts.broker.accept(submission, noting: notes)
        var customer = known.customer
        customer.name = arrival.customer.name ?? customer.name
        customer.capabilities = arrival.customer.capabilities
        if customer != known.customer {
            _ = try await parts.broker.change(
                known.id, .describe(customer), by: .customer(device: "whatsapp"))
        }
    }
}

extension Tapback {
    /// The reaction that a sign is; `reacted` for any without a word of its own, `removed` for none.
    fileprivate init(sign: String?) {
        guard let sign else {
            self = .removed
            return
        }
        // With and without the mark that asks for a colourful picture.
        var plain = ""
        for scalar in sign.unicodeScalars where scalar != "\u{FE0F}" {
            plain.unicodeScalars.append(scalar)
        }
        switch plain {
        case "\u{2764}": self = .loved
        case "\u{1F44D}": self = .liked
        case "\u{1F44E}": self = .disliked
        case "\u{1F602}": self = .laughed
        case "\u{203C}": self = .emphasized
        case "\u{2753}": self = .questioned
        default: self = .reacted
        }
    }
}
