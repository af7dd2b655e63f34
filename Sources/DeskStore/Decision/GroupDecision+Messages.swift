import DeskModel

extension GroupDecision {
    /// A sequence has half of a number's bits; a conversation accepts no more messages.
    static let maximumSequence: Int64 = 1 << 32 - 1

    /// Accepts a message, or finds that it is stored already.
    mutating func accept(_ message: NewMessage) throws(Undecided) -> Acceptance {
        if let claim = message.submission.idempotency, let first = try findAnswer(of: claim) {
            return Acceptance(message: first, isRepeat: true)
        }
        let place = try require(message.submission.conversation)
        if looksForRepeats, let known = try findKnown(message) {
            return try repeated(message, known)
        }
        if let seen = message.submission.lastSeen,
            try isAnswered(after: seen, beside: message.submission.facts.author, at: place)
        {
            guard let known = try findKnown(message) else { throw .refused(.answeredMeanwhile) }
            return try repeated(message, known)
        }
        if message.isImport, let last = conversations[place].row.conversation.last,
            message.time < last.time
        {
            // The log is appended to: what was said before is not put in between.
            guard let known = try findKnown(message) else { throw .refused(.preconditionFailed) }
            return try repeated(message, known)
        }
        var row = row(at: place)
        let snoozedUntil = row.conversation.snoozedUntil
        let rating = rating(by: message, before: row.conversation)
        let control: MessageControl
        do throws(Undecided) {
            control = try self.control(
                after: message, before: row.conversation, isRating: rating != nil)
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            guard let known = try findKnown(message) else { throw .refused(refusal) }
            return try repeated(message, known)
        }
        let dueBefore = row.conversation.answerDue
        var answers: [DueWork] = []
        var awaited: AnswerDue?
        var giveBack: DueWork?
        if rating == nil, !control.isBots, control.change == nil {
            answers = try automaticAnswers(to: message, before: row.conversation)
            awaited = try answerAwaited(after: message, before: row.conversation)
            giveBack = try self.giveBack(after: message, before: row.conversation)
        }
        let participants = row.conversation.participants.count
        let preceding: [EventType]
        do {
            preceding = try row.conversation.take(
                message.submission.facts, id: message.submission.id, isRating: rating != nil,
                at: message.time)
        } catch {
            // A repeat is answered as it was at first, whatever happened since.
            guard let known = try findKnown(message) else { throw .refused(error) }
            return try repeated(message, known)
        }
        if message.submission.namesHeldFiles,
            try !areHeld(message.submission.facts.attachments)
        {
            // An upload that was given up while the message was on its way.
            guard let known = try findKnown(message) else { throw .refused(.notFound) }
            return try repeated(message, known)
        }
        guard row.conversation.newest.value <= Self.maximumSequence else {
            throw .failed(StoreError(.refused, "conversation is full"))
        }
        if let awaited { row.conversation.answerDue = awaited }
        if let followed = control.conversation {
            row.conversation.assignee = followed.assignee
            row.conversation.waitingSince = followed.waitingSince
            row.conversation.answerDue = followed.answerDue
        }
        let breach = try breachStep(of: row.conversation, before: dueBefore, at: message.time)
        if !preceding.isEmpty {
            scheduleWake(
                of: row.conversation, before: snoozedUntil, by: message.submission.facts.author,
                at: message.time)
        }
        if awaited != nil {
            put(
                Self.counting(
                    in: row.conversation, from: message.time, at: message.time))
        }
        carryOut(breach: breach)
        let assigned = try assignAuthor(of: message.submission, to: &row.conversation)
        var steps: [(EventType, StepChange?)] = []
        for type in preceding { steps.append((type, nil)) }
        steps += control.change?.steps.map { ($0.0, $0.1) } ?? []
        if let assigned { steps.append(assigned) }
        if let rating { steps.append(rate(&row.conversation, by: rating, at: message.time)) }
        let stored = append(message, to: &row, at: place, after: steps, control)
        let hasJoined = row.conversation.participants.count != participants
        // Its message does not say that an answer is promised, or who joined; the row has when it was erased.
        let isInItsEvents =
            steps.isEmpty && !hasJoined && control.change == nil && awaited == nil
            && message.erasedAt == nil
        keep(consume row, at: place, isInItsEvents ? .inItsEvents : .ofItsRow)
        keepRows(of: control)
        for work in answers { put(work) }
        if let giveBack { put(giveBack) }
        for attachment in message.submission.facts.attachments {
            hold(attachment, by: .conversation(stored.conversation), at: message.time)
        }
        remember(message)
        if looksForRepeats || message.submission.idempotency != nil {
            found(
                KnownMessage(message: stored, posted: message.posted), as: stored.id,
                in: stored.conversation)
        }
        return Acceptance(message: stored, isRepeat: false)
    }

    /// Assigns a conversation without an assignee to the agent who answers, where the business wants it.
    private func assignAuthor(
        of submission: Submission, to conversation: inout Conversation
    ) throws(Undecided) -> (EventType, StepChange?)? {
        guard submission.assignsAuthor, conversation.assignee == nil,
            case .agent(let agent) = submission.facts.author
        else { return nil }
        let business = conversation.business
        guard let isWanted = rows.assigningOnReply[business] else {
            throw .needs(.assignsOnReply(business))
        }
        guard isWanted, let type = conversation.take(.assign(agent)) else { return nil }
        return (type, .assignee(from: nil, to: agent, by: .reply))
    }

    /// Whether another sender than an author wrote to the customer after a message.
    func isAnswered(
        after seen: SequenceNumber, beside author: Author, at place: Int
    ) throws(Undecided) -> Bool {
        let conversation = conversations[place].row.conversation
        guard let last = conversation.last, last.sequence > seen else { return false }
        if last.direction == .outbound, last.author != author, !last.author.isByItself {
            return true
        }
        let key = FoundRows.AnswerKey(
            conversation: conversation.id, after: seen, author: author)
        guard let isAnswered = rows.answered[key] else {
            throw .needs(.answered(conversation.id, after: seen, beside: author))
        }
        return isAnswered
    }

    /// Adds the message's row and the events that come with it; its own is the last.
    private mutating func append(
        _ message: NewMessage, to row: inout ConversationRow, at place: Int,
        after preceding: [(EventType, StepChange?)], _ control: MessageControl
    ) -> StoredMessage {
        let submission = message.submission
        var facts = submission.facts
        if control.isByBot, !facts.isAutomatic { facts.headers.append(MessageFacts.automatic) }
        let eventCount = preceding.count + (control.change == nil ? 0 : 1)
        let sequence = row.conversation.newest
        let checksum = MessageChecksum.checksum(
            of: submission.payload, id: submission.id, in: row.conversation.id, sequence: sequence)
        let stored = StoredMessage(
            id: submission.id, conversation: row.conversation.id,
            business: row.conversation.business, sequence: sequence,
            position: Position(newest + Int64(eventCount) + 1), time: message.time,
            facts: facts, payload: .bytes(submission.payload), digest: message.digest,
            checksum: checksum, erasedAt: message.erasedAt)
        if let erasedAt = message.erasedAt { row.conversation.last?.erasedAt = erasedAt }
        changes.append(.message(messages.count))
        messages.append(
            MessageRow(
                message: stored, posted: message.posted == message.digest ? nil : message.posted,
                previous: row.end, conversation: place))
        row.conversation.activity = stored.position
        row.end = stored.position.value
        row.head = MessageChecksum.head(after: row.head, digest: stored.digest, checksum: checksum)
        // What the message made the server do is not its author's doing.
        let mover: Author = facts.direction == .inbound ? .server : facts.author
        for (type, change) in preceding {
            let isMove = if case .assignee = change { true } else { false }
            let step = row.conversation.step(by: isMove ? mover : facts.author, change)
            append(type, to: &row, at: place, body: .conversation(step), at: message.time)
        }
        if let change = control.change {
            append(
                .conversationControlChanged, to: &row, at: place,
                body: .json(change.event(by: mover)), at: message.time)
        }
        append(.messageAccepted, to: &row, at: place, body: .message(stored), at: message.time)
        return stored
    }

    /// The message that an earlier request with the key stored; nil when there was none.
    ///
    /// - Throws: as refusals `messageErased` when that message was erased since, and
    ///   `idempotencyMismatch` when the key was used for something else.
    private func findAnswer(of claim: IdempotencyClaim) throws(Undecided) -> StoredMessage? {
        let scope = claim.scope
        guard let found = rows.answers[Array(scope.utf8)] else { throw .needs(.answer(scope)) }
        guard let answer = found else { return nil }
        guard case .message(let conversation, let id) = answer.content,
            let known = try findKnown(id, in: conversation)
        else { throw .refused(.idempotencyMismatch) }
        // Whatever the body: the digest of the first one went with the message's content.
        guard known.message.erasedAt == nil else { throw .refused(.messageErased) }
        guard answer.body == claim.body else { throw .refused(.idempotencyMismatch) }
        return known.message
    }

    /// What was stored under the message's id; nil when there is nothing.
    private func findKnown(_ message: NewMessage) throws(Undecided) -> KnownMessage? {
        try findKnown(message.submission.id, in: message.submission.conversation)
    }

    private func findKnown(
        _ id: MessageID, in conversation: ConversationID
    ) throws(Undecided) -> KnownMessage? {
        guard let found = rows.messages[.init(id: id, conversation: conversation)] else {
            throw .needs(.message(id, in: conversation))
        }
        return found
    }

    /// Answers a message whose id is known: the same bytes give the first answer.
    private mutating func repeated(
        _ message: NewMessage, _ known: KnownMessage
    ) throws(Undecided) -> Acceptance {
        if known.message.erasedAt != nil {
            // A tombstone that comes again brings nothing that was erased.
            guard message.erasedAt != nil else { throw .refused(.messageErased) }
            return Acceptance(message: known.message, isRepeat: true)
        }
        guard known.posted == message.posted || message.isImport else {
            throw .refused(.idempotencyConflict)
        }
        remember(message)
        return Acceptance(message: known.message, isRepeat: true)
    }

    private mutating func remember(_ message: NewMessage) {
        guard let claim = message.submission.idempotency else { return }
        let answer = RememberedAnswer(
            scope: claim.scope, body: claim.body,
            content: .message(message.submission.conversation, message.submission.id),
            time: message.time)
        changes.append(.answer(answer))
        found(answer, as: answer.scope)
    }

    /// Settles a request by an answer, unless another answer did.
    mutating func settle(
        _ request: MessageID, in conversation: ConversationID, by answer: MessageID
    ) throws(Undecided) {
        let place = try require(conversation)
        let key = FoundRows.MessageKey(id: request, conversation: conversation)
        guard let found = rows.settlements[key] else {
            throw .needs(.settlement(of: request, in: conversation))
        }
        guard let first = found else {
            rows.settlements[key] = answer
            changes.append(.settle(request, conversation: place, by: answer))
            return
        }
        guard first == answer else { throw .refused(.settled) }
    }

    // MARK: Files

    /// Whether a conversation holds each of these.
    func areHeld(_ attachments: [AttachmentUse]) throws(Undecided) -> Bool {
        for attachment in attachments {
            guard let isHeld = rows.files[attachment.id] else {
                throw .needs(.file(attachment.id))
            }
            if !isHeld { return false }
        }
        return true
    }

    mutating func hold(
        _ attachment: AttachmentUse, by holder: AttachmentHolder, at time: Timestamp
    ) {
        changes.append(.hold(attachment, by: holder, at: time))
        found(true, as: attachment.id)
    }
}
