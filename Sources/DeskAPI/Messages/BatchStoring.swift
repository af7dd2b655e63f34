import DeskBroker
import DeskModel
import DeskStore
import DeskWeb

/// Hands the messages of a batch to the writer some at a time, and gathers what became of each.
struct BatchStoring {
    private typealias Stored = Result<[Result<Acceptance, Refusal>], StoreError>

    private enum Outcome {
        case refused(Problem)
        /// The place among those that were handed over with it.
        case handed(turn: Int, place: Int)
    }

    /// Stores some messages in one commit, as `Broker.accept` does.
    typealias Accept =
        @Sendable ([Submission]) async throws(StoreError) -> [Result<Acceptance, Refusal>]

    private let services: Services
    private let atOnce: Int
    private let accept: Accept
    private var outcomes: [Outcome] = []
    private var waiting: [Submission] = []
    private var turns: [Task<Stored, Never>] = []

    /// Stores for a batch, in turns of so many messages.
    init(_ services: Services, atOnce: Int, accept: @escaping Accept) {
        self.services = services
        self.atOnce = atOnce
        self.accept = accept
        waiting.reserveCapacity(atOnce)
    }

    /// Whether some of it may be stored already.
    var hasBegun: Bool { !turns.isEmpty }

    /// Notes that the next entry is not stored.
    mutating func refuse(_ problem: Problem) { outcomes.append(.refused(problem)) }

    /// Stores the next entry, soon.
    mutating func take(_ submission: Submission) {
        outcomes.append(.handed(turn: turns.count, place: waiting.count))
        waiting.append(submission)
        if waiting.count == atOnce { handOver() }
    }

    /// Waits until all is stored, and answers for each entry in its place.
    ///
    /// - Throws: what kept the first of it from being stored, when nothing is; that an idempotency
    ///   key is known with another body, or still in use.
    mutating func finish() async throws(Problem) -> [Result<Acceptance, Problem>] {
        if !waiting.isEmpty { handOver() }
        var stored: [Stored] = []
        for turn in turns { stored.append(await turn.value) }
        if case .failure(let error)? = stored.first { throw services.problem(error) }
        try Self.refuseWhole(stored)
        return outcomes.map { outcome in
            switch outcome {
            case .refused(let problem): .failure(problem)
            case .handed(let turn, let place):
                switch stored[turn] {
                case .success(let results): results[place].mapError { Problem($0) }
                case .failure(let error): .failure(services.problem(error))
                }
            }
        }
    }

    private mutating func handOver() {
        let submissions = waiting
        waiting.removeAll(keepingCapacity: true)
        let accept = accept
        // At once: what is handed over later is written later.
        turns.append(
            Task.immediate { () async -> Stored in
                do throws(StoreError) {
                    return .success(try await accept(submissions))
                } catch {
                    return .failure(error)
                }
            })
    }

    /// A key that is known with another body, or still in use, concerns the request as a whole.
    private static func refuseWhole(_ stored: [Stored]) throws(Problem) {
        for case .success(let results) in stored {
            for case .failure(let refusal) in results {
                switch refusal {
                case .idempotencyMismatch, .idempotencyInProgress: throw Problem(refusal)
                case .alreadyAssigned, .alreadyMerged, .notMerged, .customerBlocked,
                    .answeredMeanwhile, .customerLeft, .idempotencyConflict,
                    .lastOwner, .messageErased, .nameTaken, .notAuthor, .notFound, .noteDeleted,
                    .notForBots, .notPermitted, .onlyOwners, .unusable,
                    .preconditionFailed, .rateLimited, .settled, .suggestionSettled, .notInControl,
                    .replyWindowOver, .onHold:
                    continue
                }
            }
        }
    }
}
