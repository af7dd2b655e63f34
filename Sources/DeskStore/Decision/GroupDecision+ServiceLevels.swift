import DeskModel

extension GroupDecision {
    /// Sets or removes service levels.
    mutating func save(_ step: SaveServiceLevels) throws(Undecided) {
        let number = try require(step.business)
        rows.serviceLevels[step.business] = step.data != nil
        changes.append(.serviceLevels(step.data, of: step.business))
        changes.append(
            .registry(.contents(.saveServiceLevels(of: step.business)), author: step.author))
        put(DueWork.recount(of: step.business, at: step.time))
        append(
            .serviceLevelsSaved, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }

    /// Which answer a customer's message begins to wait for, where the business promises one: when it
    /// is due is computed by work that is done at once, because that needs the clocks of a time zone.
    func answerAwaited(
        after message: NewMessage, before: Conversation
    ) throws(Undecided) -> AnswerDue? {
        guard message.submission.facts.direction == .inbound, !message.isCopy else { return nil }
        let opens = before.newest == .start || before.state == .closed || before.hasLeft
        guard before.waitingSince == nil || opens, try hasServiceLevels(before.business) else {
            return nil
        }
        return AnswerDue(opens ? .first : .next)
    }

    /// The work that computes the due time of an answer again after a change that it depends on.
    func countedAgain(
        _ conversation: Conversation, since before: Conversation, by author: Author,
        at time: Timestamp
    ) throws(Undecided) -> DueWork? {
        guard conversation.answerDue != nil, let since = conversation.waitingSince,
            conversation.state == .open
        else { return nil }
        let isOpened = before.state != .open
        // Its closing was undone: it is due when it was.
        if isOpened, conversation.answerDue?.at != nil { return nil }
        guard
            isOpened || conversation.priority != before.priority
                || conversation.team != before.team,
            try hasServiceLevels(conversation.business)
        else { return nil }
        return Self.counting(
            in: conversation, from: isOpened ? time : since, by: author, at: time)
    }

    /// The work that computes when an answer is due, counted from a moment.
    static func counting(
        in conversation: Conversation, from start: Timestamp, by author: Author = .server,
        at time: Timestamp
    ) -> DueWork {
        DueWork(
            DueWork.Name(.due, in: conversation.id), of: conversation.business, dueAt: start,
            madeAt: time, author: counter(author))
    }

    /// Who counts when an answer is due: the server by itself, or because of a rule, which is then in the
    /// chain of rules that the breach may lead to.
    private static func counter(_ author: Author) -> Author {
        if case .rule = author { author } else { .server }
    }

    /// What the event of a breach says; nil for other steps.
    func overdue(_ step: ChangeConversation, in conversation: Conversation) -> StepChange? {
        guard case .breach = step.change, let due = conversation.answerDue, let at = due.at else {
            return nil
        }
        return .overdue(due.kind, due: at)
    }

    /// Has the due time of an awaited answer computed again, from the customer's message on.
    mutating func recount(_ conversation: ConversationID, at time: Timestamp) throws(Undecided) {
        let known = conversations[try require(conversation)].row.conversation
        guard known.answerDue != nil, known.state == .open, let since = known.waitingSince else {
            return
        }
        put(Self.counting(in: known, from: since, at: time))
    }

    /// What keeps the work that says that an answer is overdue as the conversation's row has it.
    ///
    /// Where it was said already, and the answer is due at another moment that is past too, it is not said
    /// again.
    func breachStep(
        of conversation: Conversation, before: AnswerDue?, by author: Author = .server,
        at time: Timestamp
    ) throws(Undecided) -> RowChange? {
        guard conversation.answerDue?.at != before?.at else { return nil }
        let name = DueWork.Name(.breach, in: conversation.id)
        guard let due = conversation.answerDue?.at else { return .removeDueWork(name) }
        if due <= time, let earlier = before?.at, earlier <= time {
            guard let found = rows.due[name] else { throw .needs(.due(name)) }
            guard found != nil else { return nil }
        }
        return .putDueWork(
            DueWork(
                name, of: conversation.business, dueAt: due, madeAt: time,
                author: Self.counter(author)))
    }

    /// Carries out what `breachStep` says.
    mutating func carryOut(breach step: RowChange?) {
        switch step {
        case .putDueWork(let work)?: put(work)
        case .removeDueWork(let name)?:
            changes.append(.removeDueWork(name))
            rows.due.updateValue(nil, forKey: name)
        default: break
        }
    }

    func hasServiceLevels(_ business: BusinessID) throws(Undecided) -> Bool {
        guard let hasSome = rows.serviceLevels[business] else {
            throw .needs(.serviceLevels(of: business))
        }
        return hasSome
    }
}
