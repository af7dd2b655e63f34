public import DeskModel
public import DeskStore

/// Authenticates API keys against the store, which has the ones used lately in memory.
///
/// Nothing is remembered here, so a revocation acts on the next request.
public struct KeyRing: Sendable {
    private let store: any Store
    private let time: TimeSource

    /// Authenticates the keys of a store.
    public init(store: any Store, time: TimeSource) {
        self.store = store
        self.time = time
    }

    /// Finds the principal of a key; nil when the key is unknown, wrong, revoked or without a
    /// grant.
    public func findPrincipal(_ shown: KeySecret) async throws(StoreError) -> KeyPrincipal? {
        guard let key = try await store.findKey(shown.id), key.revokedAt == nil,
            !key.grants.isEmpty, key.mode == shown.mode, isSame(key.secret, shown.digest)
        else { return nil }
        let now = time.now()
        // Use is stored once a minute at most, so that a read rarely causes a write.
        if key.usedAt.map({ now.since($0) >= .seconds(60) }) ?? true {
            do throws(StoreError) {
                try await store.touchKey(key.id, at: now)
            } catch {
                // Reading continues while nothing can be written.
                guard error.code == .full else { throw error }
            }
        }
        return KeyPrincipal(
            id: key.id, name: key.name, mode: key.mode, businesses: key.businesses)
    }

    /// Refuses a key from now on; returns whether it was in use.
    public func revoke(_ id: KeyID, author: Author) async throws(StoreError) -> Bool {
        try await store.revokeKey(id, at: time.now(), author: author)
    }

    /// Compares without an early end: the time does not show where two hashes differ.
    private func isSame(_ left: Digest, _ right: Digest) -> Bool {
        let difference = left.words ^ right.words
        return (difference[0] | difference[1] | difference[2] | difference[3]) == 0
    }
}
