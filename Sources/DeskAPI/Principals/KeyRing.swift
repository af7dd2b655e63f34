public import DeskModel
public import DeskStore
import Synchronization

/// The keys that were used lately, so that the busiest route asks no database who is calling.
///
/// Every revocation in this process goes through `revoke`, so it acts on the next request; an entry is
/// looked up again after a minute whatever happened.
public final class KeyRing: Sendable {
    private struct Entry {
        let secret: Digest
        let principal: KeyPrincipal
        let readAt: ContinuousClock.Instant
    }

    private struct State {
        var entries: [KeyID: Entry] = [:]
        /// Rises with each revocation: what was read before it is not kept.
        var generation = 0
    }

    /// Most keys remembered; beyond it the ring starts afresh.
    private static let most = 1_000
    private static let freshFor = Duration.seconds(60)

    private let store: any Store
    private let time: TimeSource
    private let state = Mutex(State())

    /// Makes an empty ring over the keys of a store.
    public init(store: any Store, time: TimeSource) {
        self.store = store
        self.time = time
    }

    /// Finds who shows this key; nil when it is unknown, wrong or revoked.
    public func findPrincipal(_ shown: KeySecret) async throws(StoreError) -> KeyPrincipal? {
        let now = time.instant()
        let (known, generation) = state.withLock { ($0.entries[shown.id], $0.generation) }
        if let known, known.readAt.duration(to: now) < Self.freshFor {
            return isSame(known.secret, shown.digest) ? known.principal : nil
        }
        guard let key = try await store.findKey(shown.id), key.revokedAt == nil,
            key.world == shown.world, isSame(key.secret, shown.digest)
        else { return nil }
        let principal = KeyPrincipal(
            id: key.id, name: key.name, businesses: Set(key.businesses))
        state.withLock {
            guard $0.generation == generation else { return }
            if $0.entries.count >= Self.most { $0.entries.removeAll() }
            $0.entries[key.id] = Entry(secret: key.secret, principal: principal, readAt: now)
        }
        try await store.touchKey(key.id, at: time.now())
        return principal
    }

    /// Whether a key that was proved before is still in force; reads the store.
    public func isInForce(_ id: KeyID) async throws(StoreError) -> Bool {
        guard let key = try await store.findKey(id) else { return false }
        return key.revokedAt == nil
    }

    /// Refuses a key from now on; returns whether it was in use.
    public func revoke(_ id: KeyID) async throws(StoreError) -> Bool {
        let wasInUse = try await store.revokeKey(id, at: time.now())
        forget(id)
        return wasInUse
    }

    /// Looks a key up again at its next use.
    public func forget(_ id: KeyID) {
        state.withLock {
            $0.generation += 1
            $0.entries[id] = nil
        }
    }

    /// Compares without an early way out: the time tells nothing of where two hashes differ.
    private func isSame(_ left: Digest, _ right: Digest) -> Bool {
        let difference = left.words ^ right.words
        return (difference[0] | difference[1] | difference[2] | difference[3]) == 0
    }
}
