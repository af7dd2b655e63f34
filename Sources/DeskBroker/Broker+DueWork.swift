public import DeskModel
public import DeskStore

/// Work that is due at a moment: every group that ends it removes its row in its own commit, so that of
/// several groups one is stored, whichever process they come from.
extension Broker {
    /// Opens a snoozed conversation again.
    ///
    /// - Throws: `notFound` as a refusal where it is not to be woken any more, or not then.
    public func wake(_ work: DueWork) async throws(BrokerError) {
        _ = try await commit(
            ChangeConversation(work.name.conversation, .reopen, by: .server, at: now()),
            after: [.finish(work)])
    }

    /// Has a message sent later, and removes the draft that it was, and settles the
    /// suggestion that it was made of, in one commit.
    ///
    /// - Throws: `idempotencyConflict` as a refusal where the message is to be sent already,
    ///   `suggestionSettled`, and `notInControl` where its author is a bot that has no control.
    public func schedule(
        _ work: DueWork, sending draft: SentDraft?, settling suggestion: SettleSuggestion? = nil,
        data: [UInt8]
    ) async throws(BrokerError) {
        _ = try await commit(
            event(.messageScheduled, of: work, data),
            after: [
                .schedule(work), .requireControl(work.author, of: work.name.conversation),
            ] + Self.ended(draft, suggestion))
    }

    /// Stores a message whose time has come.
    ///
    /// Durable and refusals as of `accept`, and `notFound` where it was withdrawn.
    public func accept(
        _ submission: Submission, finishing work: DueWork
    ) async throws(BrokerError) -> Acceptance {
        count(try await commit(NewMessage(submission, at: now()), after: [.finish(work)]))
    }

    /// Gives an automatic answer in the conversation as its sender found it.
    ///
    /// Durable and refusals as of `accept`; `notFound` where the work is done already, and
    /// `preconditionFailed` where the conversation has moved on.
    public func answer(
        _ submission: Submission, at revision: Revision, finishing work: DueWork
    ) async throws(BrokerError) {
        let unchanged = RevisionCondition.anyOf([revision]).steps(for: submission.conversation)
        _ = count(
            try await commit(
                NewMessage(submission, at: now()), after: [.finish(work)] + unchanged))
    }

    /// Asks a customer how satisfied they are, in the conversation as its sender found it.
    ///
    /// Durable and refusals as of `answer`.
    public func ask(
        _ submission: Submission, _ question: Satisfaction.Question, at revision: Revision,
        finishing work: DueWork
    ) async throws(BrokerError) {
        let unchanged = RevisionCondition.anyOf([revision]).steps(for: submission.conversation)
        let time = now()
        let asked = ChangeConversation(
            submission.conversation, .ask(question), by: .server, at: time)
        _ = count(
            try await commit(
                NewMessage(submission, at: time),
                after: [.finish(work)] + unchanged + [.change(asked)]))
    }

    /// Says until when a customer is to be answered.
    ///
    /// - Throws: `notFound` as a refusal where the work was done or replaced.
    public func expect(_ due: AnswerDue, finishing work: DueWork) async throws(BrokerError) {
        _ = try await commit(
            ChangeConversation(work.name.conversation, .expect(due), by: work.author, at: now()),
            after: [.finish(work)])
    }

    /// Says that an answer is overdue.
    ///
    /// - Throws: `notFound` as a refusal where it is not due any more, or not then.
    public func breach(_ work: DueWork) async throws(BrokerError) {
        _ = try await commit(
            ChangeConversation(work.name.conversation, .breach, by: work.author, at: now()),
            after: [.finish(work)])
    }

    /// Has the due times of some conversations' answers computed again, and goes on with the work behind a place of
    /// the list; with nil the work is done.
    ///
    /// - Throws: `notFound` as a refusal where the work was done or replaced.
    public func recount(
        _ conversations: [ConversationID], then place: [UInt8]?, finishing work: DueWork
    ) async throws(BrokerError) {
        let time = now()
        var steps: [Write] = conversations.map { .recount($0, at: time) }
        if let place { steps.append(.schedule(work.continued(behind: place, at: time))) }
        guard let last = steps.popLast() else { return try await finish(work) }
        try await commit(last, after: [.finish(work)] + steps)
    }

    /// Gives up work that is not to be done any more.
    ///
    /// - Throws: `notFound` as a refusal where it is not there.
    public func finish(_ work: DueWork) async throws(BrokerError) {
        try await commit(Write.finish(work))
    }

    /// Looks at work again at a later moment.
    ///
    /// - Throws: `notFound` as a refusal where it is not there.
    public func postpone(_ work: DueWork, until time: Timestamp) async throws(BrokerError) {
        try await commit(Write.schedule(work.postponed(until: time)), after: [.finish(work)])
    }

    /// Withdraws a message that was to be sent.
    ///
    /// - Throws: `notFound` as a refusal where it was sent, or withdrawn before.
    public func withdraw(_ work: DueWork, data: [UInt8]) async throws(BrokerError) {
        _ = try await commit(
            event(.messageUnscheduled, of: work, data), after: [.finish(work)])
    }

    /// Leaves a message unsent, for its author to look at.
    ///
    /// - Throws: `notFound` as a refusal where it was sent or withdrawn.
    public func refuse(
        _ work: DueWork, as failure: DueWork.Failure, data: [UInt8]
    ) async throws(BrokerError) {
        _ = try await commit(
            event(.messageUnsent, of: work, data), after: [.refuse(work, as: failure)])
    }

    /// Leaves work undone whose conversation can have no event of it.
    public func refuse(
        _ work: DueWork, as failure: DueWork.Failure
    ) async throws(BrokerError) {
        try await commit(Write.refuse(work, as: failure))
    }

    /// Returns a conversation that its agent did not answer.
    ///
    /// - Throws: `notFound` as a refusal where the work is done already, and `preconditionFailed` where the
    ///   agent answered or has it no longer.
    public func giveBack(
        _ work: DueWork, of agent: AgentID, waitingSince since: Timestamp
    ) async throws(BrokerError) {
        try await commit(
            GiveBack(work.name.conversation, of: agent, waitingSince: since, at: now()),
            after: [.finish(work)])
    }

    private func event(_ type: EventType, of work: DueWork, _ data: [UInt8]) -> AppendEvent {
        AppendEvent(
            type, of: work.business, in: work.name.conversation, data: data, at: now())
    }
}
