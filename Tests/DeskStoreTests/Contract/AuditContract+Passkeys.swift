import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    /// What signs accounts in besides passwords.
    static let signIns = secondFactors + passkeys + provisioning + approvals

    private static func session(_ byte: UInt8, of person: UInt64) -> Session {
        Session(
            token: .sha256([byte]), subject: .agent(agent(person)), createdAt: dawn,
            expiresAt: dawn.advanced(by: .seconds(60)))
    }

    private static let passkeys: [Case] = [
        Case(.credentials(.addSession(of: .agent(agent(1))))) {
            try await $0.add(session(201, of: 1), author: .agent(agent(1)))
        },
        Case(
            .people(.addPasskey(of: agent(1), named: "N1")),
            and: [
                .credentials(.takeSession(.sha256([201]), of: .agent(agent(1)))),
                .credentials(.addSession(of: .agent(agent(1)))),
            ]
        ) {
            _ = try await $0.add(
                PasskeyContract.passkey(1), in: .sha256([201]), at: dawn,
                beginning: session(202, of: 1))
        },
        Case(.people(.usePasskey(of: agent(1)))) {
            _ = try await $0.usePasskey(PasskeyID(uniqueID(1)), counter: 0, at: dawn)
        },
        Case(.people(.removePasskey(of: agent(1)))) {
            _ = try await $0.removePasskey(PasskeyID(uniqueID(1)), of: agent(1))
        },
        Case(.credentials(.addSession(of: .agent(agent(2)))), .agent(agent(2))) {
            try await $0.add(session(203, of: 2), author: .agent(agent(2)))
        },
        Case(.people(.addPasskey(of: agent(2), named: "N2")), .agent(agent(2))) {
            _ = try await $0.add(
                PasskeyContract.passkey(2, of: 2), in: .sha256([203]), at: dawn, beginning: nil)
        },
        Case(
            .people(.saveAgent(agent(2))), .agent(agent(2)),
            and: [
                .people(.removePasskeys(of: agent(2))),
                .credentials(.endSessions(of: .agent(agent(2)))),
                .people(.forgetDevices(of: agent(2))),
            ]
        ) {
            _ = try await $0.replacePassword(
                of: agent(2), by: PasswordReplacement("another", .identity))
        },
    ]
}
