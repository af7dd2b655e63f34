import DeskModel

extension GroupDecision {
    /// Sets or removes service levels.
    mutating func save(_ step: SaveServiceLevels) throws(Undecided) {
        let number = try require(step.business)
        rows.serviceLevels[step.business] = step.data != nil
        changes.append(.serviceLevels(step.data, of: step.business))
        changes.append(
            .registry(.contents(.saveServiceLevels(of: step.business)), author: step.author))
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
        _ conversation: Conversation, since before: Conversation, at time: Timestamp
    ) throws(Undecided) -> DueWork? {
        guard let due = conversation.answerDue, let since = conversation.waitingSince,
            conversation.state == .open
        else { return nil }
        let isOpened = before.state != .open
        guard
            isOpened || conversation.priority != before.priority
                || conversation.team != before.team,
            try hasServiceLevels(conversation.business)
        else { return nil }
        return Self.counting(due, in: conversation, from: isOpened ? time : since, at: time)
    }

    /// The work that computes when an answer is due, counted from a moment.
    static func counting(
        _ due: AnswerDue, in conversation: Conversation, from start: Timestamp, at time: Timestamp
    ) -> DueWork {
        DueWork(
            DueWork.Name(.due, in: conversation.id), of: conversation.business, dueAt: start,
            madeAt: time, author: .server)
    }

    /// Keeps the work that says that an answer is overdue as the conversation's row has it.
    mutating func scheduleBreach(
        of conversation: Conversation, before: AnswerDue?, at time: Timestamp
    ) {
        guard conversation.answerDue?.at != before?.at else { return }
        let name = DueWork.Name(.breach, in: conversation.id)
        guard let due = conversation.answerDue?.at else {
            changes.append(.removeDueWork(name))
            rows.due.updateValue(nil, forKey: name)
            return
        }
        put(
            DueWork(
                name, of: conversation.business, dueAt: due, madeAt: time, author: .server))
    }

    private func hasServiceLevels(_ business: BusinessID) throws(Undecided) -> Bool {
        guard let hasSome = rows.serviceLevels[business] else {
            throw .needs(.serviceLevels(of: business))
        }
        return hasSome
    }
}
