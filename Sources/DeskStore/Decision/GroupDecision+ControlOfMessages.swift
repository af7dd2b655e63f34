import DeskModel

/// What a message means for who controls its conversation.
struct MessageControl {
    /// The change of control; nil where it stays.
    var change: ControlChange?
    /// The row where only the moment to answer by is another.
    var control: Control?
    /// The conversation as the change leaves it, as far as the change concerns it.
    var conversation: Conversation?
    /// Whether a bot controls after it: what people promise waits.
    var isBots = false
    /// Whether a bot wrote it.
    var isByBot = false
}

extension GroupDecision {
    /// Writes down what a message means for control, all but its event.
    mutating func keepRows(of control: MessageControl) {
        if let change = control.change { keepRows(of: change) }
        if let row = control.control { put(row) }
    }

    /// What a message means for control.
    ///
    /// - Throws: `notInControl` as a refusal where a bot sends that has no control.
    func control(
        after message: NewMessage, before: Conversation, isRating: Bool
    ) throws(Undecided) -> MessageControl {
        let facts = message.submission.facts
        guard !message.isCopy, !isRating, !facts.author.isByItself else { return MessageControl() }
        let bots = try bots(of: before.business)
        guard !bots.isEmpty else { return MessageControl() }
        let known = try control(of: before)
        switch (facts.direction, facts.author) {
        case (.inbound, _):
            return try control(afterCustomers: message, before: before, known, bots)
        case (.outbound, .key):
            guard let actor = Self.actor(facts.author, among: bots) else { return MessageControl() }
            guard var next = known, next.controller == .bot(actor.id) else {
                throw .refused(.notInControl)
            }
            next.answerBy = nil
            return MessageControl(control: next == known ? nil : next, isBots: true, isByBot: true)
        case (.outbound, .agent(let agent)):
            guard var next = known, next.controller != .agent(agent) else {
                return MessageControl()
            }
            next.controller = .agent(agent)
            next.offer = nil
            next.answerBy = nil
            next.since = message.time
            // The answer itself ends the waiting; whether it assigns is the business's choice.
            return MessageControl(
                change: ControlChange(from: known?.controller, to: next, .takenOver))
        case (.outbound, _): return MessageControl()
        }
    }

    private func control(
        afterCustomers message: NewMessage, before: Conversation, _ known: Control?,
        _ bots: [KnownBot]
    ) throws(Undecided) -> MessageControl {
        let time = message.time
        var waiting = before
        waiting.state = before.state == .closed || before.state == .snoozed ? .open : before.state
        waiting.hasLeft = false
        waiting.waitingSince = before.waitingSince ?? time
        let opens = before.newest == .start || before.state == .closed || before.hasLeft
        if opens, let first = Self.first(of: bots, for: before.customer, at: time),
            known?.controller != .bot(first.id)
        {
            let next = Control(
                of: before.id, in: before.business, .bot(first.id), since: time,
                metadata: known?.metadata ?? [])
            var change = ControlChange(from: known?.controller, to: next, .opened)
            try follow(&change, on: &waiting, by: .server, at: time)
            return MessageControl(change: change, conversation: waiting, isBots: true)
        }
        guard var next = known, let bot = next.controller?.bot else { return MessageControl() }
        guard bots.contains(where: { $0.bot.id == bot && $0.isReachable(at: time) }) else {
            next.controller = nil
            next.offer = nil
            next.since = time
            var change = ControlChange(from: .bot(bot), to: next, .error)
            try follow(&change, on: &waiting, by: .server, at: time)
            return MessageControl(change: change, conversation: waiting)
        }
        // A customer who was answered otherwise, or whose conversation was closed, waits from this message on.
        guard next.answerBy == nil || before.waitingSince == nil || opens else {
            return MessageControl(isBots: true)
        }
        next.answerBy = try answerTime(of: bot, in: before.business, at: time)
        return MessageControl(control: next, isBots: true)
    }

    /// The bot that new conversations of a customer are first for.
    private static func first(
        of bots: [KnownBot], for customer: Customer, at time: Timestamp
    ) -> Bot? {
        let able = bots.filter { $0.isReachable(at: time) }.map(\.bot)
        if let intent = customer.intent,
            let own = able.first(where: {
                $0.intents.contains { $0.utf8.elementsEqual(intent.utf8) }
            })
        {
            return own
        }
        return able.first { $0.isFirst }
    }
}
