import DeskModel

extension GroupDecision {
    /// Chooses whether and how customers of a business are asked.
    mutating func save(_ step: SaveSatisfaction) throws(Undecided) {
        let number = try require(step.business)
        rows.satisfactionPlans.updateValue(step.chosen.plan, forKey: step.business)
        changes.append(.satisfaction(step.chosen, of: step.business))
        changes.append(
            .registry(.contents(.saveSatisfaction(of: step.business)), author: step.author))
        append(
            .satisfactionSaved, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }

    /// The work that asks the customer of a conversation that was just closed; nil where its business does
    /// not ask.
    ///
    /// Whether it is asked is decided when it is due, by what holds then.
    func question(
        after closed: Conversation, at time: Timestamp
    ) throws(Undecided) -> DueWork? {
        guard !closed.hasLeft, closed.blockedAt == nil, closed.newest > .start else { return nil }
        guard let known = rows.satisfactionPlans[closed.business] else {
            throw .needs(.satisfactionPlan(of: closed.business))
        }
        guard let plan = known else { return nil }
        let work = Satisfaction.Work(
            assignee: closed.assignee, team: closed.team, labels: closed.labels)
        return DueWork(
            DueWork.Name(.ask, in: closed.id), of: closed.business,
            dueAt: time.advanced(by: .seconds(plan.delayMinutes * 60)), madeAt: time,
            author: .server, data: Array(RowFields.write(work).utf8))
    }

    /// What a message says to the question that the customer was asked last; nil for every other message.
    ///
    /// An answer replaces the one before it within a day of the first; after that, and of one who left,
    /// it is a message like all others.
    func rating(by message: NewMessage, before: Conversation) -> Satisfaction.Answer? {
        guard let reply = message.rating, let known = before.satisfaction, !before.hasLeft,
            reply.request.utf8.elementsEqual(known.question.message.text.utf8)
        else { return nil }
        let first = known.answer.flatMap { $0.question == known.question ? $0 : nil }
        if let first, message.time > first.answeredAt.advanced(by: Satisfaction.changeable) {
            return nil
        }
        return Satisfaction.Answer(
            to: known.question, by: message.submission.id, score: reply.score,
            comment: reply.comment, at: first?.answeredAt ?? message.time)
    }

    /// Keeps an answer, has the customer thanked for the first one, and says what the event says.
    mutating func rate(
        _ conversation: inout Conversation, by answer: Satisfaction.Answer, at time: Timestamp
    ) -> (EventType, StepChange?) {
        let earlier = conversation.satisfaction?.answer
        let before = earlier?.question == answer.question ? earlier?.score : nil
        conversation.satisfaction?.answer = answer
        if before == nil {
            put(
                DueWork(
                    DueWork.Name(.thank, in: conversation.id), of: conversation.business,
                    dueAt: time, madeAt: time, author: .server))
        }
        let given = Satisfaction.Given(answer.message, score: answer.score, before: before)
        return (
            .satisfactionAnswered, .satisfaction(Satisfaction.Step(answer.question, given))
        )
    }
}
