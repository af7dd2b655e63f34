import DeskWeb
import Synchronization

/// Lets batches in to be judged only as fast as others are written, in the order they came.
///
/// Several threads check and one writes: without admission control all batches at hand are checked
/// before the first of them are stored, hold their memory, and all are answered late. Limit: each
/// waiting batch is a request, and requests are bounded by the connections.
final class BatchAdmission: Sendable {
    /// Most bytes of batches that are judged and written at a time; a larger one goes alone.
    static let maximumBytes = 6 * 1_024 * 1_024

    private struct State {
        var bytesInside = 0
        var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func hasRoom(for bytes: Int) -> Bool {
            bytesInside == 0 || bytesInside + bytes <= BatchAdmission.maximumBytes
        }
    }

    private let state = Mutex(State())

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` for a batch of so many bytes once there is room for it.
    ///
    /// - Throws: what `body` throws; `unavailable` when the request was given up while it waited,
    ///   so that nothing is stored without an answer.
    func pass<Value>(
        _ bytes: Int, _ body: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        await enter(bytes)
        defer { leave(bytes) }
        if Task.isCancelled {
            throw Problem(
                .unavailable, "The batch waited for too long, and nothing of it is stored.")
        }
        return try await body()
    }

    private func enter(_ bytes: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((bytes, continuation)) }
            admit()
        }
    }

    private func leave(_ bytes: Int) {
        state.withLock { $0.bytesInside -= bytes }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Void, Never>] = []
            while let next = state.waiting.first, state.hasRoom(for: next.bytes) {
                state.bytesInside += next.bytes
                admitted.append(state.waiting.removeFirst().continuation)
            }
            return admitted
        }
        for continuation in admitted { continuation.resume() }
    }
}
