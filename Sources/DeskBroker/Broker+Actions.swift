public import DeskModel
public import DeskStore

extension Broker {
    /// Does several things to a conversation in one commit, all or none, and returns it as it is then.
    ///
    /// - Throws: what the steps say as refusals; then nothing was stored.
    public func perform(
        _ steps: [Write], on conversation: ConversationID
    ) async throws(BrokerError) -> Conversation {
        let after = try await commit(RequireRevision(of: conversation, in: nil), after: steps)
        for case .message(let message) in steps { count(message.submission.facts.direction) }
        return after
    }

    /// Notes that a rule did nothing with an event, and why.
    ///
    /// - Throws: `idempotencyConflict` as a refusal where it is noted already.
    public func note(_ act: RuleAct) async throws(BrokerError) {
        try await commit(Write.act(act))
    }

    /// Makes a rule of a business, or changes one, and publishes that.
    ///
    /// - Throws: `notFound` or `unusable` as refusals.
    public func save(
        _ rule: TeamRule, isNew: Bool, by author: Author
    ) async throws(BrokerError) {
        try await commit(SaveRule(rule, isNew: isNew, by: author, at: now()))
    }

    /// Removes a rule of a business, and publishes that.
    ///
    /// - Throws: `notFound` as a refusal.
    public func remove(
        _ rule: TeamRuleID, of business: BusinessID, by author: Author
    ) async throws(BrokerError) {
        try await commit(RemoveRule(rule, of: business, by: author, at: now()))
    }
}
