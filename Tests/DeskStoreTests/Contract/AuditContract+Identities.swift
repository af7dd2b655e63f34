import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    static let identities: [Case] = [
        Case(.people(.saveAgent(agent(2))), .agent(agent(2))) {
            _ = try await $0.rename(agent(2), to: "M")
        },
        Case(
            .people(.saveAgent(agent(2))), .agent(agent(2)),
            and: [.people(.forgetDevices(of: agent(2)))]
        ) {
            _ = try await $0.replacePassword(
                of: agent(2), by: PasswordReplacement("other", .known("scrypt")))
        },
        Case(.people(.linkIdentity(of: agent(1), at: "https://id.example"))) {
            let identity = Identity(issuer: "https://id.example", subject: "1")
            _ = try await $0.link(identity, to: agent(1), at: dawn)
        },
        Case(
            .people(.linkIdentity(of: agent(5), at: "https://id.example")), .agent(agent(5))
        ) {
            let identity = Identity(issuer: "https://id.example", subject: "2")
            _ = try await $0.link(identity, toAccountOf: person(5).email, at: dawn)
        },
        Case(.people(.removeIdentities(of: agent(1)))) {
            try await $0.removeIdentities(of: agent(1), author: me)
        },
    ]
}
