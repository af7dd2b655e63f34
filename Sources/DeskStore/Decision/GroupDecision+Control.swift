import DeskModel

/// Who controls a conversation: decided here, for messages, changes, requests and what is overdue alike.
extension GroupDecision {
    /// Who controls a conversation; nil where no bot ever did.
    ///
    /// A business without bots costs one look for them.
    func control(of conversation: Conversation) throws(Undecided) -> Control? {
        guard try !bots(of: conversation.business).isEmpty else { return nil }
        guard let found = rows.controls[conversation.id] else {
            throw .needs(.control(of: conversation.id))
        }
        return found
    }

    /// The bot that controls a conversation; nil where people do.
    func controllingBot(of conversation: Conversation) throws(Undecided) -> BotID? {
        try control(of: conversation)?.controller?.bot
    }

    /// Changes who controls a conversation because a request says so.
    mutating func change(_ step: ChangeControl) throws(Undecided) -> Control {
        let place = try require(step.conversation)
        var row = row(at: place)
        let business = row.conversation.business
        let bots = try bots(of: business)
        guard !bots.isEmpty else { throw .refused(.unusable) }
        let before =
            try control(of: row.conversation)
            ?? Control(of: step.conversation, in: business, nil, since: step.time)
        let actor = Self.actor(step.author, among: bots)
        let (controller, offer, reason) = try outcome(of: step, by: actor, before)
        try requireTarget(step, bots, in: business)
        var after = before
        after.controller = controller
        after.offer = offer
        after.metadata = step.metadata ?? before.metadata
        guard after != before || step.note != nil else { return before }
        if controller != before.controller { after.since = step.time }
        var change = ControlChange(from: before.controller, to: after, reason)
        change.note = step.note
        try follow(&change, on: &row.conversation, by: step.author, at: step.time)
        keep(change, of: &row, at: place, by: step.author, at: step.time)
        keep(row, at: place, .ofItsRow)
        return change.control
    }

    /// Goes on unless a bot says that a conversation waits for something outside: people say that.
    func requirePerson(
        _ step: ChangeConversation, on conversation: Conversation
    ) throws(Undecided) {
        guard case .pend = step.change, case .key = step.author else { return }
        guard Self.actor(step.author, among: try bots(of: conversation.business)) == nil else {
            throw .refused(.notForBots)
        }
    }

    /// Goes on unless the author is a bot that has no control of a conversation.
    func requireControl(_ author: Author, of id: ConversationID) throws(Undecided) {
        guard case .key = author else { return }
        let conversation = conversations[try require(id)].row.conversation
        guard let bot = Self.actor(author, among: try bots(of: conversation.business)) else {
            return
        }
        guard try controllingBot(of: conversation) == bot.id else {
            throw .refused(.notInControl)
        }
    }

    /// Hands a conversation to people because its bot did not answer in time.
    mutating func end(_ step: EndBotWait) throws(Undecided) {
        let place = try require(step.control.conversation)
        var row = row(at: place)
        guard let before = try control(of: row.conversation), let due = before.answerBy,
            due == step.control.answerBy, due <= step.time, let bot = before.controller?.bot
        else { throw .refused(.notFound) }
        var after = before
        after.answerBy = nil
        guard row.conversation.state != .closed, !row.conversation.hasLeft,
            row.conversation.waitingSince != nil
        else { return put(after) }
        let isReachable = try bots(of: before.business)
            .contains { $0.bot.id == bot && $0.isReachable(at: step.time) }
        after.controller = nil
        after.offer = nil
        after.since = step.time
        var change = ControlChange(
            from: before.controller, to: after, isReachable ? .timeout : .error)
        try follow(&change, on: &row.conversation, by: .server, at: step.time)
        keep(change, of: &row, at: place, by: .server, at: step.time)
        keep(row, at: place, .ofItsRow)
    }

    /// The change that an assignment makes; nil where no bot ever had the conversation, or the agent has control.
    func controlChange(
        after step: ChangeConversation, before: Conversation, _ after: inout Conversation
    ) throws(Undecided) -> ControlChange? {
        guard case .assign(let agent?) = step.change, !step.isImported,
            let control = try control(of: before), control.controller != .agent(agent)
        else { return nil }
        var next = control
        next.controller = .agent(agent)
        next.offer = nil
        next.since = step.time
        let isPassed = Self.actor(step.author, among: try bots(of: before.business)) != nil
        var change = ControlChange(
            from: control.controller, to: next, isPassed ? .passed : .takenOver)
        try follow(&change, on: &after, by: step.author, at: step.time)
        return change
    }

    /// Writes down a change that was decided, with its events behind what it did to the conversation.
    mutating func keep(
        _ change: ControlChange, of row: inout ConversationRow, at place: Int, by author: Author,
        at time: Timestamp
    ) {
        row.conversation.activity = Position(newest + 1)
        for (type, step) in change.steps {
            append(
                type, to: &row, at: place,
                body: .conversation(row.conversation.step(by: author, step)), at: time)
        }
        append(
            .conversationControlChanged, to: &row, at: place, body: .json(change.event(by: author)),
            at: time)
        keepRows(of: change)
    }

    /// Writes down all of a change but its events.
    mutating func keepRows(of change: ControlChange) {
        put(change.control)
        for name in change.ended {
            changes.append(.removeDueWork(name))
            rows.due.updateValue(nil, forKey: name)
        }
        for work in change.work { put(work) }
        carryOut(breach: change.breach)
    }

    /// Keeps who controls a conversation.
    mutating func put(_ control: Control) {
        rows.controls.updateValue(control, forKey: control.conversation)
        changes.append(.control(control))
    }

    /// The bot that an author is, also by a key that came before or after the bot's; nil for people and for keys
    /// that are none.
    static func actor(_ author: Author, among bots: [KnownBot]) -> Bot? {
        guard case .key(let key) = author else { return nil }
        return bots.bot(with: key)
    }

    /// Who controls, to whom it is offered, and why, where the author may ask for it.
    private func outcome(
        of step: ChangeControl, by actor: Bot?, _ before: Control
    ) throws(Undecided) -> (Controller?, Controller?, ControlReason) {
        let own: Controller? = if let actor { .bot(actor.id) } else { step.author.asController }
        let isInControl = actor == nil || before.controller == own
        switch step.action {
        case .pass:
            guard isInControl else { throw .refused(.notInControl) }
            let isReturn = actor == nil && step.target?.bot != nil
            let reason: ControlReason =
                step.isFailure && actor != nil ? .error : isReturn ? .returned : .passed
            return (step.target, nil, reason)
        case .offer:
            guard isInControl else { throw .refused(.notInControl) }
            guard let target = step.target else { throw .refused(.unusable) }
            return (before.controller, target, .offered)
        case .accept:
            guard let offer = before.offer, Self.may(own, accept: offer) else {
                throw .refused(.notInControl)
            }
            return (own, nil, .accepted)
        case .take:
            guard actor == nil else { throw .refused(.notInControl) }
            return (own, nil, .takenOver)
        case .release:
            guard isInControl else { throw .refused(.notInControl) }
            return (nil, nil, .released)
        }
    }

    /// Whether an offer may be accepted: any person accepts what is offered to a team.
    private static func may(_ own: Controller?, accept offer: Controller) -> Bool {
        switch (own, offer) {
        case (.agent, .team), (nil, .team): true
        default: own == offer
        }
    }

    private func requireTarget(
        _ step: ChangeControl, _ bots: [KnownBot], in business: BusinessID
    ) throws(Undecided) {
        guard step.action == .pass || step.action == .offer, let target = step.target else {
            return
        }
        switch target {
        case .bot(let id):
            guard bots.contains(where: { $0.bot.id == id && $0.isReachable(at: step.time) }) else {
                throw .refused(.unusable)
            }
        case .team(let id):
            guard try teams(of: business).contains(where: { $0.id == id && !$0.isRetired }) else {
                throw .refused(.unusable)
            }
        case .agent(let id): try requireMember(id, of: business, in: step.permitted)
        }
    }
}

extension Author {
    /// The person as a controller; nil for all others.
    fileprivate var asController: Controller? {
        if case .agent(let id) = self { .agent(id) } else { nil }
    }
}
