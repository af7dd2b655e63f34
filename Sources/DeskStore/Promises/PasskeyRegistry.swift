public import DeskModel

/// The passkeys of accounts.
public protocol PasskeyRegistry: Sendable {
    /// The passkeys of an account, oldest first.
    func passkeys(of agent: AgentID) async throws(StoreError) -> [Passkey]
    /// The passkey that an authenticator names so.
    func findPasskey(_ credential: [UInt8]) async throws(StoreError) -> Passkey?
    /// Adds a passkey to its account.
    ///
    /// Limit: `Passkey.most` of an account. Order: decided in one commit, so that an authenticator's name is one account's.
    func add(_ passkey: Passkey) async throws(StoreError) -> AddedPasskey
    /// Notes that a passkey signed its person in; false when it is not there any more, or when it counts and says a number
    /// that is not above the last one: then it was copied, or the answer is an old one.
    func usePasskey(
        _ id: PasskeyID, counter: Int64, at time: Timestamp
    ) async throws(StoreError) -> Bool
    /// Removes a passkey of an account; returns whether there was one.
    func removePasskey(_ id: PasskeyID, of agent: AgentID) async throws(StoreError) -> Bool
}
