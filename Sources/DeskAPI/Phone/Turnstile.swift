import DeskBytes
import Synchronization

/// Lets those who want the same thing through one at a time, in the order they came.
///
/// Limit: who waits is a request, and requests are bounded by the connections.
final class Turnstile: Sendable {
    /// Who waits for each name that somebody is inside for.
    private let waiting = Mutex<[ByteString: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `body` while nobody else is inside under this name.
    func pass<Value>(
        _ name: String, _ body: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let key = ByteString(name)
        await enter(key)
        defer { leave(key) }
        return try await body()
    }

    private func enter(_ key: ByteString) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave(_ key: ByteString) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard var line = waiting[key], !line.isEmpty else {
                waiting[key] = nil
                return nil
            }
            let first = line.removeFirst()
            waiting[key] = line
            return first
        }
        next?.resume()
    }
}
