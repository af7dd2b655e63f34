import DeskModel

extension GroupDecision {
    /// Chooses what the server answers by itself.
    mutating func save(_ step: SaveAutomaticAnswers) throws(Undecided) {
        let number = try require(step.business)
        rows.automaticAnswers[step.business] = step.answers
        changes.append(.automaticAnswers(step.answers, of: step.business))
        changes.append(
            .registry(.contents(.saveAutomaticAnswers(of: step.business)), author: step.author))
        append(
            .automaticAnswersSaved, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }

    /// The automatic answers that are to be looked at because of a customer's message: whether one is
    /// sent is decided when it is due, by what holds then.
    ///
    /// None for a message that another store had, and for one that a program of the customer's side
    /// marked as its own, so that two servers do not answer each other for ever.
    func automaticAnswers(
        to message: NewMessage, before: Conversation
    ) throws(Undecided) -> [DueWork] {
        let facts = message.submission.facts
        guard facts.direction == .inbound, !message.isCopy, !facts.isAutomatic else { return [] }
        guard let answers = rows.automaticAnswers[before.business] else {
            throw .needs(.automaticAnswers(of: before.business))
        }
        let opens = before.newest == .start || before.state == .closed || before.hasLeft
        return Self.works(of: answers, in: before, isGreeted: opens, at: message.time)
    }

    /// The same because a bot handed the conversation to people: the bot has greeted the customer.
    func automaticAnswers(
        atHandOverOf conversation: Conversation, at time: Timestamp
    ) throws(Undecided) -> [DueWork] {
        guard let answers = rows.automaticAnswers[conversation.business] else {
            throw .needs(.automaticAnswers(of: conversation.business))
        }
        var before = conversation
        before.waitingSince = nil
        return Self.works(of: answers, in: before, isGreeted: false, at: time)
    }

    private static func works(
        of answers: AutomaticAnswers, in before: Conversation, isGreeted: Bool, at time: Timestamp
    ) -> [DueWork] {
        AutomaticAnswers.Kind.allCases.compactMap { kind in
            guard answers.template(of: kind) != nil else { return nil }
            var dueAt = time
            switch kind {
            case .greeting: guard isGreeted else { return nil }
            case .outOfHours: break
            case .unanswered:
                guard before.waitingSince == nil, let minutes = answers.unansweredMinutes else {
                    return nil
                }
                dueAt = dueAt.advanced(by: .seconds(minutes * 60))
            }
            return DueWork(
                DueWork.Name(.answer, in: before.id, on: kind.rawValue), of: before.business,
                dueAt: dueAt, madeAt: time, author: .server)
        }
    }
}
