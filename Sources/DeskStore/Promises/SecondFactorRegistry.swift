public import DeskModel

/// The second factors of accounts.
///
/// Their secrets lie encrypted. One that cannot be decrypted accepts no code; recovery codes still are.
public protocol SecondFactorRegistry: Sendable {
    /// Finds the second factor of an account, one that is being set up included.
    func secondFactor(of agent: AgentID) async throws(StoreError) -> SecondFactor?
    /// The members of a business who have a second factor that is asked for, or a passkey.
    func agentsWithSecondFactor(in business: BusinessID) async throws(StoreError) -> Set<AgentID>
    /// Keeps a secret that is asked for once it is confirmed, in place of one that never was; false where
    /// the account has a second factor.
    func beginSecondFactor(
        _ secret: [UInt8], of agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> Bool
    /// Has a second factor be asked for, when the code is right; ends the account's other sessions, and forgets
    /// its devices: who signed in with the password alone may have some.
    ///
    /// Order: one commit. `missing` where none is being set up, and where `session` has ended.
    func confirmSecondFactor(
        of agent: AgentID, _ code: String, recovery: [Digest], keeping session: Digest,
        at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome
    /// Judges a proof, and uses it up: of several callers with one proof exactly one is accepted.
    func useSecondFactor(
        _ proof: SecondFactorProof, of agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome
    /// Gives an account new recovery codes in place of those it has, when the proof is right.
    func replaceRecoveryCodes(
        of agent: AgentID, _ proof: SecondFactorProof, by recovery: [Digest], at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome
    /// Removes an account's second factor, when the proof is right.
    func removeSecondFactor(
        of agent: AgentID, _ proof: SecondFactorProof, at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome
    /// Removes an account's second factor and its passkeys without a proof; returns whether there was any.
    func removeSecondFactor(of agent: AgentID, author: Author) async throws(StoreError) -> Bool
    /// Asks, or asks no longer, that the members of a business have a second factor.
    ///
    /// `memberships` says of each whether it is lacking, from this commit on. `withoutFactor` for an owner who has neither a second
    /// factor nor a passkey.
    func requireSecondFactor(
        _ isRequired: Bool, in business: BusinessID, by owner: AgentID
    ) async throws(StoreError) -> RequirementOutcome
}
