import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    /// What identity providers keep; ids that no other case uses.
    static let provisioning: [Case] = [
        Case(
            .people(.saveAgent(agent(41))),
            and: [
                .people(.setRole(.agent, of: agent(41), in: business(1))),
                .people(.provisionPerson(agent(41), of: business(1))),
            ]
        ) { _ = try await $0.provision(ProvisioningContract.new(41), author: me) },
        Case(.people(.provisionPerson(agent(41), of: business(1)))) {
            var person = ProvisioningContract.person(41)
            person.externalID = "other"
            _ = try await $0.saveProvisioned(person, author: me)
        },
        Case(.people(.saveAgent(agent(41)))) {
            _ = try await $0.rename(agent(41), to: "O", in: business(1), author: me)
        },
        Case(.people(.unprovisionPerson(agent(41), of: business(1)))) {
            _ = try await $0.removeProvisioned(agent(41), of: business(1), author: me)
        },
        Case(
            .people(.saveAgent(agent(42))),
            and: [.people(.provisionPerson(agent(42), of: business(1)))]
        ) { _ = try await $0.provision(ProvisioningContract.new(42, isActive: false), author: me) },
        Case(.people(.setRole(.auditor, of: agent(42), in: business(1)))) {
            _ = try await $0.activate(agent(42), of: business(1), as: .auditor, author: me)
        },
        Case(.people(.provisionTeam(TeamID(uniqueID(43)), of: business(1)))) {
            try await $0.saveProvisioned(ProvisioningContract.team(43), author: me)
        },
        Case(.people(.unprovisionTeam(TeamID(uniqueID(43)), of: business(1)))) {
            _ = try await $0.removeProvisioned(
                TeamID(uniqueID(43)), of: business(1), author: me)
        },
    ]
}
