import DeskModel

/// A change of control with all that follows of it, decided and not written down yet.
struct ControlChange {
    /// Who had control; nil for people.
    let before: Controller?
    /// Who has it then.
    var control: Control
    /// Why.
    let reason: ControlReason
    /// The note with the summary.
    var note: NoteID?
    /// What was done to the conversation, which has events of its own.
    var steps: [(EventType, StepChange)] = []
    /// Work that begins.
    var work: [DueWork] = []
    /// Work that ends.
    var ended: [DueWork.Name] = []
    /// What is done about the work that says that an answer is overdue.
    var breach: RowChange?

    init(from before: Controller?, to control: Control, _ reason: ControlReason) {
        self.before = before
        self.control = control
        self.reason = reason
    }

    /// What its event says.
    func event(by author: Author) -> [UInt8] {
        BotText.event(from: before, to: control, reason, note: note, by: author)
    }
}

extension GroupDecision {
    /// What follows of a change of control.
    ///
    /// A bot that gets control has a moment to answer by, and the clocks of people stop: the conversation is
    /// no one's then. People who get it from a bot have it as one whose customer waits from now on.
    func follow(
        _ change: inout ControlChange, on conversation: inout Conversation, by author: Author,
        at time: Timestamp
    ) throws(Undecided) {
        let dueBefore = conversation.answerDue
        let isFromBot = change.before?.bot != nil
        guard let bot = change.control.controller?.bot else {
            change.control.answerBy = nil
            let assigns = give(&change, conversation: &conversation)
            if isFromBot, change.isPassedOn || conversation.waitingSince != nil {
                try beginClocks(of: &conversation, &change, by: author, at: time)
            } else if assigns,
                let work = try giveBack(of: conversation, since: time)
            {
                change.work.append(work)
            }
            change.breach = try breachStep(
                of: conversation, before: dueBefore, by: author, at: time)
            return
        }
        if change.before?.bot != bot { change.control.answerBy = nil }
        try stopClocks(of: &conversation, &change)
        if change.control.answerBy == nil, conversation.waitingSince != nil,
            conversation.state != .closed, !conversation.hasLeft
        {
            change.control.answerBy = try answerTime(of: bot, in: conversation.business, at: time)
        }
        change.breach = try breachStep(of: conversation, before: dueBefore, by: author, at: time)
    }

    /// By when a bot is to answer what it is given now.
    func answerTime(
        of bot: BotID, in business: BusinessID, at time: Timestamp
    ) throws(Undecided) -> Timestamp {
        let known = try bots(of: business).first { $0.bot.id == bot }
        return time.advanced(by: .seconds(known?.bot.answerSeconds ?? 0))
    }

    /// Gives the conversation to the person or the team that has control; whether it was assigned.
    private func give(_ change: inout ControlChange, conversation: inout Conversation) -> Bool {
        let former = (assignee: conversation.assignee, team: conversation.team)
        switch change.control.controller {
        case .agent(let agent):
            // Who steps in beside a colleague leaves the assignment with them.
            guard change.reason == .passed || former.assignee == nil,
                let type = conversation.take(.assign(agent))
            else { return false }
            change.steps.append((type, .assignee(from: former.assignee, to: agent, by: .hand)))
            return true
        case .team(let team):
            if let type = conversation.take(.move(to: team)) {
                change.steps.append((type, .team(from: former.team, to: team)))
            }
            return false
        case .bot, nil: return false
        }
    }

    /// The customer waits for people from now on: what they promise begins.
    private func beginClocks(
        of conversation: inout Conversation, _ change: inout ControlChange, by author: Author,
        at time: Timestamp
    ) throws(Undecided) {
        guard conversation.state != .closed, !conversation.hasLeft else { return }
        conversation.waitingSince = time
        if try hasServiceLevels(conversation.business) {
            conversation.answerDue = AnswerDue(.first)
            if conversation.state == .open {
                change.work.append(
                    Self.counting(in: conversation, from: time, by: author, at: time))
            }
        }
        change.work += try automaticAnswers(atHandOverOf: conversation, at: time)
        if let work = try giveBack(of: conversation, since: time) { change.work.append(work) }
    }

    private func stopClocks(
        of conversation: inout Conversation, _ change: inout ControlChange
    ) throws(Undecided) {
        let former = conversation.assignee
        if let type = conversation.take(.assign(nil)) {
            change.steps.append((type, .assignee(from: former, to: nil, by: .hand)))
        }
        guard conversation.answerDue != nil else { return }
        conversation.answerDue = nil
        change.ended.append(DueWork.Name(.due, in: conversation.id))
    }
}

extension ControlChange {
    /// Whether people have it because who had it let it go, not because they came by themselves.
    fileprivate var isPassedOn: Bool {
        switch reason {
        case .opened, .passed, .released, .timeout, .error: true
        case .offered, .accepted, .takenOver, .returned: reason == .accepted
        }
    }
}
