public import DeskModel

/// The passkeys of accounts.
public protocol PasskeyRegistry: Sendable {
    /// The passkeys of an account, oldest first.
    func passkeys(of agent: AgentID) async throws(StoreError) -> [Passkey]
    /// The passkey that an authenticator names so.
    func findPasskey(_ credential: [UInt8]) async throws(StoreError) -> Passkey?
    /// Adds a passkey to its account, in a session that is still there; a second factor that is being set up ends with it.
    ///
    /// Limit: `Passkey.most` of an account. Order: decided in one commit, so that an authenticator's name is one account's, and
    /// that what ended the session is not outlived by a request that had begun.
    ///
    /// - Parameter next: a session of the account that begins in place of that one.
    func add(
        _ passkey: Passkey, in session: Digest, at now: Timestamp, beginning next: Session?
    ) async throws(StoreError) -> AddedPasskey
    /// Notes that a passkey signed its person in; false when it is not there any more, or when it counts and says a number
    /// that is not above the last one: then it was copied, or the answer is an old one.
    func usePasskey(
        _ id: PasskeyID, counter: Int64, at time: Timestamp
    ) async throws(StoreError) -> Bool
    /// Removes a passkey of an account; returns whether there was one.
    func removePasskey(_ id: PasskeyID, of agent: AgentID) async throws(StoreError) -> Bool
}
