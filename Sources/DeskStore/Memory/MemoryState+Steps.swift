import DeskModel

extension MemoryState {
    /// Carries one step out.
    mutating func carryOut(_ write: Write) throws(StoreError) -> Outcome {
        switch write {
        case .message(let message): accept(message)
        case .open(let id, let business, let customer, let time):
            open(id, business, customer, at: time)
        case .demand(let id, let revisions): demand(revisions, of: id)
        case .change(let id, let change, let author, let time):
            try self.change(id, change, by: author, at: time)
        case .note(let id, let note, let text, let author, let time):
            leave(note, text, in: id, by: author, at: time)
        case .event(let type, let business, let conversation, let data, let time):
            record(type, business, conversation, data, at: time)
        case .template(let template): publish(template)
        case .session(let session): begin(session)
        case .redeem(let link, let conversation, let time):
            redeem(link, for: conversation, at: time)
        case .bind(let conversation, let link): bind(conversation, to: link)
        case .keepObjects(let ids): keepObjects(ids)
        case .member(let change): try self.change(change)
        }
    }

    private mutating func accept(_ message: NewMessage) -> Outcome {
        let submission = message.submission
        guard var thread = threads[submission.conversation] else { return .refused(.notFound) }
        if let known = thread.known[submission.id] {
            guard known.posted == message.posted else { return .refused(.idempotencyConflict) }
            remember(message)
            return .message(
                Acceptance(message: thread.messages[known.place], isRepeat: true))
        }
        let preceding: [EventType]
        do {
            preceding = try thread.conversation.take(
                submission.facts, id: submission.id, at: message.time)
        } catch {
            return .refused(error)
        }
        if submission.namesHeldFiles, !hasAll(submission.facts.attachments) {
            // An upload that was given up while the message was on its way.
            return .refused(.notFound)
        }
        let conversation = thread.conversation
        let position = Position(newest.value + Int64(preceding.count) + 1)
        thread.conversation.activity = position
        let stored = StoredMessage(
            id: submission.id, conversation: conversation.id, business: conversation.business,
            sequence: conversation.newest, position: position, time: message.time,
            facts: submission.facts, payload: .bytes(submission.payload), digest: message.digest,
            checksum: MessageSeal.checksum(
                of: submission.payload, id: submission.id, in: conversation.id,
                sequence: conversation.newest))
        thread.known[submission.id] = (thread.messages.count, message.posted)
        thread.messages.append(stored)
        for type in preceding {
            let step = conversation.step(by: submission.facts.author)
            _ = tell(type, in: &thread, body: .conversation(step), at: message.time)
        }
        _ = tell(.messageAccepted, in: &thread, body: .message(stored), at: message.time)
        keep(thread)
        for attachment in submission.facts.attachments {
            hold(attachment, by: .conversation(conversation.id), at: message.time)
        }
        remember(message)
        return .message(Acceptance(message: stored, isRepeat: false))
    }

    private mutating func remember(_ message: NewMessage) {
        guard let claim = message.submission.idempotency else { return }
        let key = Array(claim.scope.utf8)
        guard answers[key] == nil else { return }
        answers[key] = RememberedAnswer(
            scope: claim.scope, body: claim.body,
            content: .message(message.submission.conversation, message.submission.id),
            time: message.time)
        willUndo { $0.answers[key] = nil }
    }

    mutating func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp,
        until end: Timestamp? = nil
    ) {
        let key = HoldKey(holder: holder, attachment: attachment.id)
        let before = holds[key]
        var hold = before ?? Hold(use: attachment, time: time, end: end)
        hold.use = attachment
        if hold.isOver {
            hold.end = end
        } else {
            hold.end = hold.end.flatMap { known in end.map { max(known, $0) } }
        }
        hold.isOver = false
        holds[key] = hold
        willUndo { $0.holds[key] = before }
    }

    /// Whether somebody holds each of these: a file that nobody holds may be gone.
    private func hasAll(_ attachments: [AttachmentUse]) -> Bool {
        attachments.allSatisfy { attachment in
            holds.contains { $0.key.attachment == attachment.id && !$0.value.isOver }
        }
    }

    private mutating func open(
        _ id: ConversationID, _ business: BusinessID, _ customer: Customer, at time: Timestamp
    ) -> Outcome {
        guard businesses.contains(where: { $0.id == business }) else {
            return .refused(.notFound)
        }
        let key = CustomerKey(business: business, customer: customer.id)
        if let known = byCustomer[key], let thread = threads[known] {
            return .conversation(thread.conversation, isNew: false)
        }
        guard threads[id] == nil else { return .refused(.nameTaken) }
        var conversation = Conversation(
            id: id, business: business, customer: customer, openedAt: time)
        conversation.activity = Position(newest.value + 1)
        var thread = Thread(conversation: conversation)
        _ = tell(
            .conversationOpened, in: &thread,
            body: .conversation(conversation.step(by: .customer(device: ""))), at: time)
        keep(thread)
        byCustomer[key] = id
        willUndo { $0.byCustomer[key] = nil }
        return .conversation(thread.conversation, isNew: true)
    }

    private func demand(_ revisions: [Revision]?, of id: ConversationID) -> Outcome {
        guard let conversation = threads[id]?.conversation else { return .refused(.notFound) }
        guard revisions?.contains(conversation.revision) ?? true else {
            return .refused(.preconditionFailed)
        }
        return .conversation(conversation, isNew: false)
    }

    mutating func change(
        _ id: ConversationID, _ change: ConversationChange, by author: Author, at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard var thread = threads[id] else { return .refused(.notFound) }
        let messages = thread.messages
        let type = try thread.conversation.take(change) { sequence in
            messages.dropFirst(Int(sequence.value)).count { $0.facts.direction == .inbound }
        }
        if let type {
            thread.conversation.activity = Position(newest.value + 1)
            let step = thread.conversation.step(by: author)
            _ = tell(type, in: &thread, body: .conversation(step), at: time)
        }
        keep(thread)
        return .conversation(thread.conversation, isNew: false)
    }

    private mutating func leave(
        _ id: NoteID, _ text: String, in conversation: ConversationID, by author: Author,
        at time: Timestamp
    ) -> Outcome {
        guard var thread = threads[conversation] else { return .refused(.notFound) }
        let note = Note(
            id: id, time: time, author: author, text: text,
            afterSequence: thread.conversation.newest)
        thread.notes.append(note)
        thread.conversation.activity = Position(newest.value + 1)
        _ = tell(.noteAdded, in: &thread, body: .note(note), at: time)
        keep(thread)
        return .note(note)
    }

    private mutating func record(
        _ type: EventType, _ business: BusinessID, _ conversation: ConversationID?,
        _ data: [UInt8], at time: Timestamp
    ) -> Outcome {
        guard businesses.contains(where: { $0.id == business }) else {
            return .refused(.notFound)
        }
        guard let conversation else {
            return .event(tell(type, of: business, in: nil, body: .json(data), at: time).id)
        }
        guard var thread = threads[conversation], thread.conversation.business == business else {
            return .refused(.notFound)
        }
        let event = tell(type, in: &thread, body: .json(data), at: time)
        keep(thread)
        return .event(event.id)
    }

    private mutating func publish(_ template: Template) -> Outcome {
        guard businesses.contains(where: { $0.id == template.business }) else {
            return .refused(.notFound)
        }
        guard hasAll(template.attachments) else { return .refused(.notFound) }
        let key = TemplateKey(business: template.business, name: template.name)
        let published = template.numbered((templates[key]?.count ?? 0) + 1)
        templates[key, default: []].append(published)
        willUndo { _ = $0.templates[key]?.popLast() }
        for attachment in template.attachments {
            hold(attachment, by: .business(template.business), at: template.publishedAt)
        }
        // A template's name is of letters, digits, '-', '_' and '.': no escape is needed.
        let data = "{\"name\":\"\(template.name.text)\",\"version\":\(published.version)}"
        _ = tell(
            .templatePublished, of: template.business, in: nil, body: .json(Array(data.utf8)),
            at: template.publishedAt)
        return .template(published)
    }

    private mutating func begin(_ session: Session) -> Outcome {
        let before = sessions.updateValue(session, forKey: session.token)
        willUndo { $0.sessions[session.token] = before }
        return .done
    }

    private mutating func redeem(
        _ link: Digest, for conversation: ConversationID, at time: Timestamp
    ) -> Outcome {
        guard let business = threads[conversation]?.conversation.business,
            let place = codes.firstIndex(where: {
                $0.link == link && $0.business == business && $0.usesLeft > 0
                    && $0.expiresAt > time
            })
        else { return .refused(.notFound) }
        let before = codes[place]
        codes[place].usesLeft -= 1
        codes[place].conversation = conversation
        willUndo { $0.codes[place] = before }
        return .done
    }

    private mutating func bind(
        _ conversation: ConversationID, to link: GatewayLinkID
    ) -> Outcome {
        let before = upstreams.updateValue(link, forKey: conversation)
        willUndo { $0.upstreams[conversation] = before }
        return .done
    }

    private mutating func keepObjects(_ ids: [String]) -> Outcome {
        for id in ids {
            guard let known = mmcsObjects[id], known.keptUntil != nil else { continue }
            mmcsObjects[id] = MMCSObject(
                id: known.id, business: known.business, content: known.content, key: known.key,
                byteCount: known.byteCount, signature: known.signature,
                createdAt: known.createdAt)
            willUndo { $0.mmcsObjects[id] = known }
        }
        return .done
    }
}
