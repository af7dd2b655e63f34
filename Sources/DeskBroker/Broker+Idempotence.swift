public import DeskModel
import DeskStore

/// An answer as first given, or given again.
public struct KeyedAnswer: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The body's bytes.
    public let body: [UInt8]
    /// Whether an earlier request made it.
    public let isRepeat: Bool

    /// Puts an answer together.
    public init(status: Int, body: [UInt8], isRepeat: Bool = false) {
        self.status = status
        self.body = body
        self.isRepeat = isRepeat
    }
}

extension Broker {
    /// Runs a request under its `Idempotency-Key` and remembers the answer for at least 24 hours.
    ///
    /// For requests that store no message by themselves; messages carry their key in the submission.
    /// Answers of 500 and more are not remembered. While the first request runs, in whichever process,
    /// others are refused; when its process ended without an answer, the same request runs again.
    /// - Throws: `idempotencyMismatch` or `idempotencyInProgress` as refusals; `messageErased` when the
    ///   answer showed a message whose content was erased since.
    public func answerOnce(
        _ claim: IdempotencyClaim, _ body: () async -> KeyedAnswer
    ) async throws(BrokerError) -> KeyedAnswer {
        let result: Result<KeyedAnswer, BrokerError>?
        do {
            result = try await store.withFreeLease("answer \(claim.scope)") {
                (lease: Lease) async -> Result<KeyedAnswer, BrokerError> in
                do throws(BrokerError) {
                    return .success(try await answer(claim, under: lease, body))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw .store(error)
        }
        guard let result else { throw .refused(.idempotencyInProgress) }
        return try result.get()
    }

    private func answer(
        _ claim: IdempotencyClaim, under lease: Lease, _ body: () async -> KeyedAnswer
    ) async throws(BrokerError) -> KeyedAnswer {
        switch try await answering({ store throws(StoreError) in
            try await store.beginAnswer(claim.scope, to: claim.body, under: lease, at: now())
        }) {
        case .begun: break
        case .belongsToAnother: throw .refused(.idempotencyMismatch)
        case .answered(let known):
            // It was stored before this lease was acquired: that commit waited for a standby where commits do.
            // The answer showed a message whose content was erased since; only the message is known.
            guard case .answer(let status, let bytes) = known.content else {
                throw .refused(.messageErased)
            }
            guard known.body == claim.body else { throw .refused(.idempotencyMismatch) }
            return KeyedAnswer(status: status, body: bytes, isRepeat: true)
        }
        let answer = await body()
        try await answering { store throws(StoreError) in
            guard answer.status < 500 else {
                return try await store.giveUpAnswer(claim.scope, under: lease)
            }
            try await store.finish(
                RememberedAnswer(
                    scope: claim.scope, body: claim.body,
                    content: .answer(status: answer.status, body: answer.body), time: now()),
                under: lease)
        }
        return answer
    }

    /// A lease that another process holds by now means that it answers the request.
    private func answering<Value>(
        _ body: (any Store) async throws(StoreError) -> Value
    ) async throws(BrokerError) -> Value {
        do {
            return try await body(store)
        } catch {
            throw error.code == .superseded ? .refused(.idempotencyInProgress) : .store(error)
        }
    }
}
