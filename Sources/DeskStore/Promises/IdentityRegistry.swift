public import DeskModel

/// The identities of providers that accounts are linked to.
public protocol IdentityRegistry: Sendable {
    /// The account that an identity is linked to.
    func findAccount(of identity: Identity) async throws(StoreError) -> AgentID?

    /// Links an identity that is not linked to the one account with a password that has an address.
    ///
    /// Order: decided in one commit. An account has one identity of each provider, so that a person who
    /// was given the address of another does not get the account of that one.
    func link(
        _ identity: Identity, toAccountOf email: String, at time: Timestamp
    ) async throws(StoreError) -> LinkOutcome

    /// Links an identity that is not linked to an account, as above.
    func link(
        _ identity: Identity, to agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> LinkOutcome

    /// The identities of an account, oldest first.
    func identities(of agent: AgentID) async throws(StoreError) -> [LinkedIdentity]

    /// Removes every identity of an account; returns whether there was any.
    @discardableResult
    func removeIdentities(of agent: AgentID, author: Author) async throws(StoreError) -> Bool
}
