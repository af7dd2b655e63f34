public import DeskModel

/// What identity providers keep of the people and teams of businesses.
public protocol ProvisioningRegistry: Sendable {
    /// The people of a business whom a provider keeps, oldest first.
    func provisionedPeople(of business: BusinessID) async throws(StoreError) -> [ProvisionedPerson]
    /// Adds a person, with the account of the address or a new one, and as a member where the person is active.
    ///
    /// Order: decided in one commit. A member keeps the role that is there. No account of another address is changed,
    /// and none that is there gets another name, address or password.
    func provision(
        _ person: NewlyProvisioned, author: Author
    ) async throws(StoreError) -> ProvisionOutcome
    /// Replaces what is kept of a person; false when another of the business has the name.
    func saveProvisioned(
        _ person: ProvisionedPerson, author: Author
    ) async throws(StoreError) -> Bool
    /// Makes a person a member again who is none, with a role; returns the role of then.
    func activate(
        _ agent: AgentID, of business: BusinessID, as role: Role, author: Author
    ) async throws(StoreError) -> Role
    /// Gives an account another name, where it is in no other business; returns whether it has it.
    func rename(
        _ agent: AgentID, to name: String, in business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
    /// Forgets what is kept of a person; returns whether there was anything.
    func removeProvisioned(
        _ agent: AgentID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
    /// The teams of a business that a provider keeps.
    func provisionedTeams(of business: BusinessID) async throws(StoreError) -> [ProvisionedTeam]
    /// Replaces what is kept of a team.
    func saveProvisioned(_ team: ProvisionedTeam, author: Author) async throws(StoreError)
    /// Forgets what is kept of a team; returns whether there was anything.
    func removeProvisioned(
        _ team: TeamID, of business: BusinessID, author: Author
    ) async throws(StoreError) -> Bool
}
