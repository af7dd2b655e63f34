public import DeskModel
public import DeskStore
import Synchronization

extension Broker {
    /// Most messages in one batch.
    public static let maximumBatch = 100

    /// Stores a judged message, or finds that it is stored already.
    ///
    /// The same id with the same bytes as posted gives the first answer, marked as a repeat, and so
    /// does an idempotency key with the same body.
    /// Order: the sequence rises by one in its conversation. Durable: on return the message
    /// survives a power cut. Cancel: ignored once called.
    /// - Throws: `customerLeft`, `idempotencyConflict`, `idempotencyMismatch`,
    ///   `idempotencyInProgress` or `notFound` as refusals; then nothing was stored.
    public func accept(_ submission: Submission) async throws(BrokerError) -> Acceptance {
        // Most have no key, and come the short way.
        guard submission.idempotency != nil else {
            return try await commit(NewMessage(submission, at: now()))
        }
        do {
            return try await accept([submission])[0].get()
        } catch let error as StoreError {
            throw .store(error)
        } catch let refusal as Refusal {
            throw .refused(refusal)
        } catch {
            preconditionFailure("accept threw another type: \(error)")
        }
    }

    /// Stores a judged message and what the gateway notes of its link, in one commit.
    ///
    /// Durable and refusals as of `accept`; a message that is refused leaves no note behind.
    public func accept(
        _ submission: Submission, noting notes: LinkNotes
    ) async throws(BrokerError) -> Acceptance {
        let steps = notes.steps(in: submission.conversation)
        guard !steps.isEmpty else { return try await accept(submission) }
        return try await commit(NewMessage(submission, at: now()), after: steps)
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
        let time = now()
        var results = [Result<Acceptance, Refusal>?](repeating: nil, count: submissions.count)
        var groups: [WriteGroup<NewMessage>] = []
        var places: [Int] = []
        var claimed: [String] = []
        defer { release(claimed) }
        for (place, submission) in submissions.enumerated() {
            if let claim = submission.idempotency {
                guard begin(claim.scope) else {
                    results[place] = .failure(.idempotencyInProgress)
                    continue
                }
                claimed.append(claim.scope)
                if let known = try await recall(claim) {
                    results[place] = known
                    continue
                }
            }
            groups.append(WriteGroup(NewMessage(submission, at: time)))
            places.append(place)
        }
        if !groups.isEmpty {
            for (place, result) in zip(places, try await store.append(groups)) {
                results[place] = result
            }
        }
        return results.map { $0 ?? .failure(.notFound) }
    }

    /// What an earlier request with the same key led to; nil when there was none.
    private func recall(
        _ claim: IdempotencyClaim
    ) async throws(StoreError) -> Result<Acceptance, Refusal>? {
        guard let known = try await store.findAnswer(claim.scope) else { return nil }
        guard known.body == claim.body else { return .failure(.idempotencyMismatch) }
        guard case .message(let conversation, let id) = known.content,
            let message = try await store.findMessage(id, in: conversation)
        else { return .failure(.idempotencyMismatch) }
        return .success(Acceptance(message: message, isRepeat: true))
    }

    func begin(_ scope: String) -> Bool {
        running.withLock { $0.insert(scope).inserted }
    }

    func release(_ scopes: [String]) {
        guard !scopes.isEmpty else { return }
        running.withLock { $0.subtract(scopes) }
    }
}
