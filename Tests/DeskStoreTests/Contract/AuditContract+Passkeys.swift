import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    /// What signs accounts in besides passwords.
    static let signIns = secondFactors + passkeys

    private static let passkeys: [Case] = [
        Case(.people(.addPasskey(of: agent(1), named: "N1"))) {
            _ = try await $0.add(PasskeyContract.passkey(1))
        },
        Case(.people(.usePasskey(of: agent(1)))) {
            _ = try await $0.usePasskey(PasskeyID(uniqueID(1)), counter: 0, at: dawn)
        },
        Case(.people(.removePasskey(of: agent(1)))) {
            _ = try await $0.removePasskey(PasskeyID(uniqueID(1)), of: agent(1))
        },
        Case(.people(.addPasskey(of: agent(2), named: "N2")), .agent(agent(2))) {
            _ = try await $0.add(PasskeyContract.passkey(2, of: 2))
        },
        Case(
            .people(.saveAgent(agent(2))), .agent(agent(2)),
            and: [
                .people(.removePasskeys(of: agent(2))), .people(.forgetDevices(of: agent(2))),
            ]
        ) {
            _ = try await $0.replacePassword(
                of: agent(2), by: PasswordReplacement("another", .identity))
        },
    ]
}
