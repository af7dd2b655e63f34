import DeskBytes
public import DeskStore
import Synchronization

/// Who has which lease, in memory: one process at a time has the data directory.
final class Leases: Sendable {
    /// Who waits for each name that somebody has.
    private let waiting = Mutex<[ByteString: [CheckedContinuation<Void, Never>]]>([:])

    /// Acquires a lease unless somebody has it.
    func acquireFree(_ name: ByteString) -> Bool {
        waiting.withLock { waiting in
            guard waiting[name] == nil else { return false }
            waiting[name] = []
            return true
        }
    }

    /// Acquires a lease in turn.
    func acquire(_ name: ByteString) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[name] != nil else {
                    waiting[name] = []
                    return true
                }
                waiting[name]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a lease to the next in turn.
    func release(_ name: ByteString) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard var line = waiting[name], !line.isEmpty else {
                waiting[name] = nil
                return nil
            }
            let first = line.removeFirst()
            waiting[name] = line
            return first
        }
        next?.resume()
    }
}

extension SQLiteStore: LeaseRegistry {
    /// Runs `body` once nobody else runs one under the same name.
    public func withLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value {
        let name = ByteString(name)
        await leases.acquire(name)
        defer { leases.release(name) }
        return await body()
    }

    /// Runs `body` unless somebody runs one under the same name; nil when somebody does.
    public func withFreeLease<Value: Sendable>(
        _ name: String, _ body: () async -> Value
    ) async throws(StoreError) -> Value? {
        let name = ByteString(name)
        guard leases.acquireFree(name) else { return nil }
        defer { leases.release(name) }
        return await body()
    }
}
