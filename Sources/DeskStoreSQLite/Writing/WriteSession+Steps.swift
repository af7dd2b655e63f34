import DeskModel
import DeskStore

extension WriteSession {
    /// Carries one step out; a refused step has written nothing.
    func carryOut(_ write: Write) throws(StoreError) -> Outcome {
        switch write {
        case .message(let message): try accept(message)
        case .open(let id, let business, let customer, let time):
            try open(id, business: business, customer: customer, at: time)
        case .demand(let id, let revisions): try demand(revisions, of: id)
        case .change(let id, let change, let author, let time):
            try self.change(id, change, by: author, at: time)
        case .note(let id, let note, let text, let author, let time):
            try leave(note, text, in: id, by: author, at: time)
        case .event(let type, let business, let conversation, let data, let time):
            try record(type, of: business, in: conversation, data, at: time)
        case .template(let template): try publish(template)
        case .session(let session): try begin(session)
        case .redeem(let link, let conversation, let time):
            try redeem(link, for: conversation, at: time)
        case .bind(let conversation, let link): try bind(conversation, to: link)
        case .keepObjects(let ids): try keepObjects(ids)
        case .member(let change): try self.change(change)
        }
    }

    private func accept(_ message: NewMessage) throws(StoreError) -> Outcome {
        guard var one = try findHot(message.submission.conversation) else {
            return .refused(.notFound)
        }
        let before = one.conversation
        let preceding: [EventType]
        do {
            preceding = try one.conversation.take(
                message.submission.facts, id: message.submission.id, at: message.time)
        } catch {
            // A repeat is answered as it was at first, whatever happened since.
            let known = try findKnown(message, in: one)
            return known ?? .refused(error)
        }
        if message.submission.namesHeldFiles,
            try !Holds.hasAll(message.submission.facts.attachments, on: connection)
        {
            // An upload that was given up while the message was on its way.
            return try findKnown(message, in: one) ?? .refused(.notFound)
        }
        let sequence = one.conversation.newest
        guard sequence.value < 1 << 32 else { throw StoreError(.refused, "conversation is full") }
        let checksum = MessageSeal.checksum(
            of: message.submission.payload, id: message.submission.id, in: before.id,
            sequence: sequence)
        let stored = StoredMessage(
            id: message.submission.id, conversation: before.id, business: before.business,
            sequence: sequence, position: Position(newest + Int64(preceding.count) + 1),
            time: message.time, facts: message.submission.facts,
            payload: .bytes(message.submission.payload),
            digest: message.digest, checksum: checksum)
        guard
            try insert(message, as: stored, ofConversation: one.number, after: one.end)
        else {
            guard let known = try findKnown(message, in: one) else {
                throw StoreError(.damaged, "a message's id is known and not found")
            }
            return known
        }
        one.conversation.activity = stored.position
        one.end = stored.position.value
        one.head = MessageSeal.head(after: one.head, digest: stored.digest, checksum: checksum)
        for type in preceding {
            let step = one.conversation.step(by: message.submission.facts.author)
            _ = try tell(type, in: &one, body: .conversation(step), at: message.time)
        }
        _ = try tell(.messageAccepted, in: &one, body: .message(stored), at: message.time)
        for attachment in message.submission.facts.attachments {
            try Holds.add(
                attachment, by: .conversation(before.id), at: message.time, on: connection)
        }
        try remember(message)
        keep(one, isWhole: !preceding.isEmpty)
        return .message(Acceptance(message: stored, isRepeat: false))
    }

    /// What a message of the same id led to; nil when there is none.
    private func findKnown(
        _ message: NewMessage, in one: HotConversation
    ) throws(StoreError) -> Outcome? {
        let statement = try connection.statement(
            "SELECT \(MessageColumns.whole) FROM messages m WHERE id = ? AND conversation = ?")
        try statement.bind(message.submission.id.text)
        try statement.bind(one.number)
        let stored = try statement.first { row throws(StoreError) in
            try MessageColumns.read(
                row, in: one.conversation.id, of: one.conversation.business)
        }
        guard let stored else { return nil }
        let posted = try connection.statement(
            literal: "SELECT coalesce(posted, digest) FROM messages WHERE position = ?")
        try posted.bind(stored.position.value)
        let known = try posted.first { row throws(StoreError) in try row.digest() }
        guard known == message.posted else { return .refused(.idempotencyConflict) }
        try remember(message)
        return .message(Acceptance(message: stored, isRepeat: true))
    }

    private func remember(_ message: NewMessage) throws(StoreError) {
        guard let claim = message.submission.idempotency else { return }
        willWrite()
        try Answers.add(
            RememberedAnswer(
                scope: claim.scope, body: claim.body,
                content: .message(message.submission.conversation, message.submission.id),
                time: message.time), on: connection)
    }

    private func open(
        _ id: ConversationID, business: BusinessID, customer: Customer, at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard let number = try Businesses.number(of: business, on: connection) else {
            return .refused(.notFound)
        }
        let existing = try connection.statement(
            literal: "SELECT id FROM conversations WHERE business = ? AND customer = ?")
        try existing.bind(number)
        try existing.bind(customer.id.text)
        let known = try existing.first { row throws(StoreError) in try row.id() }
        if let known, let one = try findHot(ConversationID(known)) {
            return .conversation(one.conversation, isNew: false)
        }
        guard try findHot(id) == nil else { return .refused(.nameTaken) }
        var conversation = Conversation(
            id: id, business: business, customer: customer, openedAt: time)
        conversation.activity = Position(newest + 1)
        let row = try insert(conversation, business: number)
        var one = HotConversation(
            number: row, business: number, conversation: conversation, head: nil)
        _ = try tell(
            .conversationOpened, in: &one,
            body: .conversation(conversation.step(by: .customer(device: ""))), at: time)
        keep(one, isWhole: true)
        return .conversation(one.conversation, isNew: true)
    }

    private func demand(
        _ revisions: [Revision]?, of id: ConversationID
    ) throws(StoreError) -> Outcome {
        guard let one = try findHot(id) else { return .refused(.notFound) }
        guard revisions?.contains(one.conversation.revision) ?? true else {
            return .refused(.preconditionFailed)
        }
        return .conversation(one.conversation, isNew: false)
    }

    func change(
        _ id: ConversationID, _ change: ConversationChange, by author: Author, at time: Timestamp
    ) throws(StoreError) -> Outcome {
        guard var one = try findHot(id) else { return .refused(.notFound) }
        let before = one.conversation
        let type = try one.conversation.take(change) { sequence in
            // An answer marks everything before it as read, so what comes after is all the customer's.
            Int(before.newest.value - sequence.value)
        }
        guard type != nil || one.conversation != before else {
            return .conversation(before, isNew: false)
        }
        if let type {
            one.conversation.activity = Position(newest + 1)
            let step = one.conversation.step(by: author)
            _ = try tell(type, in: &one, body: .conversation(step), at: time)
        }
        if one.conversation.customer.name != before.customer.name {
            willWrite()
            try CustomerWords.remove(of: one.number, on: connection)
            try CustomerWords.add(
                one.conversation.customer, of: one.number, in: one.business, on: connection)
        }
        keep(one, isWhole: true)
        return .conversation(one.conversation, isNew: false)
    }
}
