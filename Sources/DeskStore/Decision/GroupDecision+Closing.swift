import DeskModel

/// What the undoing of a closing brings back.
///
/// The waiting of the customer is read from the log, where the closing left it: a caller who could send a
/// moment could have any customer wait since any time, and break or heal what was promised.
extension GroupDecision {
    /// The closing that a change undoes, where it ended a waiting that goes on then; nil for other changes,
    /// where no customer waited, and where the customer was answered since.
    ///
    /// A customer's own message opens a closed conversation, so that there is nothing left to undo.
    func closing(
        undoneBy step: ChangeConversation, at place: Int
    ) throws(Undecided) -> UndoneClosing? {
        let before = conversations[place].row.conversation
        guard case .undoClose(let state, _) = step.change, before.state == .closed,
            state != .closed
        else { return nil }
        guard let known = rows.closings[before.id] else { throw .needs(.closing(of: before.id)) }
        guard let known, let waiting = known.waiting,
            try !isAnswered(after: waiting.newest, beside: .server, at: place)
        else { return nil }
        return UndoneClosing(time: known.time, waiting: waiting)
    }

    /// Has the customer wait as before the closing; what the business no longer promises is not due.
    func wait(
        again closing: UndoneClosing, _ conversation: inout Conversation
    ) throws(Undecided) {
        let waiting = closing.waiting
        let isPromised =
            if waiting.answer == nil { false } else { try hasServiceLevels(conversation.business) }
        conversation.wait(again: waiting.since, for: isPromised ? waiting.answer : nil)
    }

    /// The work that says that an answer is overdue, as before the closing; none where it was said then.
    func breachStep(
        of conversation: Conversation, after closing: UndoneClosing, at time: Timestamp
    ) -> RowChange? {
        guard let due = conversation.answerDue?.at, due > closing.time else { return nil }
        return .putDueWork(
            DueWork(
                DueWork.Name(.breach, in: conversation.id), of: conversation.business, dueAt: due,
                madeAt: time, author: .server))
    }

    /// Who controls the conversation, with a moment for its bot to answer by, where that ended while it was closed;
    /// nil where there is nothing to change.
    func botWait(
        after closing: UndoneClosing, on conversation: Conversation, at time: Timestamp
    ) throws(Undecided) -> Control? {
        guard var control = try control(of: conversation), let bot = control.controller?.bot,
            control.answerBy == nil
        else { return nil }
        control.answerBy = try answerTime(of: bot, in: conversation.business, at: time)
        return control
    }

    /// The work that returns the conversation from its assignee, where it was done while it was closed; nil where
    /// it is there still.
    func giveBack(
        after closing: UndoneClosing, of conversation: Conversation, at time: Timestamp
    ) throws(Undecided) -> DueWork? {
        guard let work = try giveBack(of: conversation, since: time) else { return nil }
        guard let known = rows.due[work.name] else { throw .needs(.due(work.name)) }
        return known == nil ? work : nil
    }

    /// Remembers a closing of the same group, whose event is in no row yet.
    mutating func note(_ change: StepChange?, ofClosing step: ChangeConversation) {
        var waiting: EndedWaiting?
        if case .waiting(let ended)? = change { waiting = ended }
        rows.closings.updateValue(
            KnownClosing(time: step.time, waiting: waiting), forKey: step.conversation)
    }
}

/// A closing that is undone, with the waiting that it ended.
struct UndoneClosing {
    /// When the conversation was closed.
    let time: Timestamp
    /// The waiting that goes on.
    let waiting: EndedWaiting

    /// What the event says of a conversation that is open again by it; nil for other events.
    func change(in type: EventType) -> StepChange? {
        type == .conversationReopened ? .waiting(waiting) : nil
    }
}
