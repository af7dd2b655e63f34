public import DeskStore

extension AnswerRegistry where Self: LeaseRegistry {
    /// Remembers an answer unless its scope has one.
    public func remember(_ answer: RememberedAnswer) async throws(StoreError) {
        let lease = try await acquireLease("answer \(answer.scope)", life: .seconds(60))
        guard let lease else { throw StoreError(.refused, "the answer is under way") }
        if case .begun = try await beginAnswer(
            answer.scope, to: answer.body, under: lease, at: answer.time)
        {
            try await finish(answer, under: lease)
        }
        try await releaseLease(lease)
    }
}
