import DeskModel
import DeskSQL
import DeskStore

extension AuditContract {
    private static let nextStep = dawn.advanced(by: .seconds(30))

    static let secondFactors: [Case] = [
        Case(.people(.beginSecondFactor(of: agent(1)))) {
            _ = try await $0.beginSecondFactor(SecondFactorContract.secret, of: agent(1), at: dawn)
        },
        Case(.credentials(.addSession(of: .agent(agent(1))))) {
            try await $0.add(
                Session(
                    token: .sha256([200]), subject: .agent(agent(1)), createdAt: dawn,
                    expiresAt: dawn.advanced(by: .seconds(60))), author: me)
        },
        Case(
            .people(.confirmSecondFactor(of: agent(1))),
            and: [
                .credentials(.shortenSessions(of: .agent(agent(1)))),
                .people(.forgetDevices(of: agent(1))),
            ]
        ) {
            _ = try await $0.confirmSecondFactor(
                of: agent(1), SecondFactorContract.code(), recovery: SecondFactorContract.recovery,
                keeping: .sha256([200]), at: dawn)
        },
        Case(.people(.useSecondFactor(of: agent(1)))) {
            _ = try await $0.useSecondFactor(
                .code(SecondFactorContract.code(1)), of: agent(1), at: dawn)
        },
        Case(.people(.useRecoveryCode(of: agent(1)))) {
            _ = try await $0.useSecondFactor(.recovery(.sha256([1])), of: agent(1), at: dawn)
        },
        Case(.people(.requireSecondFactor(true, in: business(1)))) {
            _ = try await $0.requireSecondFactor(true, in: business(1), by: agent(1))
        },
        Case(.people(.requireSecondFactor(false, in: business(1)))) {
            _ = try await $0.requireSecondFactor(false, in: business(1), by: agent(1))
        },
        Case(.people(.replaceRecoveryCodes(of: agent(1)))) {
            _ = try await $0.replaceRecoveryCodes(
                of: agent(1), .recovery(.sha256([2])), by: [], at: dawn)
        },
        Case(.people(.removeSecondFactor(of: agent(1)))) {
            _ = try await $0.removeSecondFactor(
                of: agent(1), .code(SecondFactorContract.code(2)), at: nextStep)
        },
        Case(.people(.beginSecondFactor(of: agent(1)))) {
            _ = try await $0.beginSecondFactor(SecondFactorContract.secret, of: agent(1), at: dawn)
        },
        Case(.people(.removeSecondFactor(of: agent(1))), .command) {
            _ = try await $0.removeSecondFactor(of: agent(1), author: .command)
        },
    ]
}
