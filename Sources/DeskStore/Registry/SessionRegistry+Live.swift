public import DeskModel

extension SessionRegistry {
    /// Finds a session that has not expired.
    ///
    /// Use extends a session, which no node waits for: one that this node remembers as expired is looked up
    /// again, since it may have been used on another.
    public func findLiveSession(
        _ token: Digest, at now: Timestamp
    ) async throws(StoreError) -> Session? {
        guard let found = try await findSession(token) else { return nil }
        guard found.expiresAt <= now else { return found }
        guard let stored = try await findStoredSession(token), now < stored.expiresAt else {
            return nil
        }
        return stored
    }
}
