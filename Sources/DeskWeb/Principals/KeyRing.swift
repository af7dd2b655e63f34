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

    /// Why a key whose secret is right is refused.
    public enum Refusal: Hashable, Sendable {
        /// It has expired at this time.
        case expired(Timestamp)
        /// It may not be used from where the request came from.
        case foreignAddress
    }

    /// What a key's text stands for.
    public enum Found: Sendable {
        /// A key in force.
        case principal(KeyPrincipal)
        /// A key that is refused.
        case refused(Refusal)
    }

    /// Finds the principal of a key that was sent from an address; nil when the key is unknown,
    /// wrong, revoked or without a grant.
    public func find(
        _ shown: KeySecret, from address: String
    ) async throws(StoreError) -> Found? {
        guard let key = try await store.findKey(shown.id), key.revokedAt == nil,
            !key.grants.isEmpty, key.mode == shown.mode,
            isSame(key.secret, shown.digest(within: key.limits))
        else { return nil }
        let now = time.now()
        if let end = key.limits.expiresAt, end <= time.latest() { return .refused(.expired(end)) }
        let ranges = key.limits.addresses
        guard
            ranges.isEmpty
                || ranges.contains(where: { AddressRange($0)?.contains(address) ?? false })
        else { return .refused(.foreignAddress) }
        // Use is stored once a minute at most, so that a read rarely causes a write.
        if key.usedAt.map({ now.since($0) >= .seconds(60) }) ?? true {
            do throws(StoreError) {
                try await store.touchKey(key.id, at: now)
            } catch {
                // Reading continues while nothing can be written.
                guard error.code == .full else { throw error }
            }
        }
        return .principal(
            KeyPrincipal(
                id: key.id, name: key.name, mode: key.mode, businesses: key.businesses,
                scopes: key.scopes))
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
