public import DeskModel
public import DeskStore

extension Broker {
    /// Most messages in one batch.
    public static let maximumBatch = 100

    /// Stores a judged message, or finds that it is stored already.
    ///
    /// The same id with the same bytes as posted gives the first answer, marked as a repeat, and so
    /// does an idempotency key with the same body.
    /// Order: the sequence rises by one in its conversation. Durable: on return the message
    /// survives a power cut. Cancel: ignored once called.
    /// - Throws: `customerLeft`, `idempotencyConflict`, `idempotencyMismatch`, `messageErased` or
    ///   `notFound` as refusals; then nothing was stored.
    public func accept(_ submission: Submission) async throws(BrokerError) -> Acceptance {
        count(try await commit(NewMessage(submission, at: now())))
    }

    /// Stores a judged message, removes the draft that it was, and settles the suggestion that it was made of,
    /// in one commit.
    ///
    /// Durable and refusals as of `accept`, `answeredMeanwhile` where the submission says what its sender
    /// has seen, and `suggestionSettled`.
    public func accept(
        _ submission: Submission, sending draft: SentDraft?,
        settling suggestion: SettleSuggestion? = nil
    ) async throws(BrokerError) -> Acceptance {
        count(
            try await commit(
                NewMessage(submission, at: now()),
                after: Self.ended(draft, suggestion)))
    }

    /// What ends when an agent sends.
    static func ended(_ draft: SentDraft?, _ suggestion: SettleSuggestion?) -> [Write] {
        (draft.map { [.removeDraft($0)] } ?? [])
            + (suggestion.map { [.settleSuggestion($0)] } ?? [])
    }

    /// Stores a judged message and what the gateway notes of its link, in one commit.
    ///
    /// Durable and refusals as of `accept`; a message that is refused leaves no note behind.
    public func accept(
        _ submission: Submission, noting notes: LinkNotes
    ) async throws(BrokerError) -> Acceptance {
        count(
            try await commit(
                NewMessage(submission, at: now()), after: notes.steps(in: submission.conversation)))
    }

    /// Stores a customer's answer that settles a request, such as a payment, in one commit.
    ///
    /// Durable and refusals as of `accept`, and `settled` when another answer settled the request.
    public func accept(
        _ answer: Submission, settling request: MessageID
    ) async throws(BrokerError) -> Acceptance {
        count(
            try await commit(
                NewMessage(answer, at: now()),
                after: [.settle(request, in: answer.conversation, by: answer.id)]))
    }

    /// Stores several messages in one commit, each judged by itself, and answers for each.
    ///
    /// Order: those of one conversation in the order given. Limit: 100 messages.
    public func accept(
        _ submissions: [Submission]
    ) async throws(StoreError) -> [Result<Acceptance, Refusal>] {
        precondition(
            submissions.count <= Self.maximumBatch,
            "\(submissions.count) messages are over \(Self.maximumBatch)")
        guard !submissions.isEmpty else { return [] }
        let time = now()
        let results = try await store.append(
            submissions.map { WriteGroup(NewMessage($0, at: time)) })
        for case .success(let acceptance) in results { _ = count(acceptance) }
        return results
    }
}
