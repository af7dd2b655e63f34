import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// Asks for the second factor of an account: the one place that decides whether a code lets anyone in.
struct SecondFactorCheck {
    let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    /// Whether an account has a second factor that is asked for.
    func isActive(for agent: AgentID) async throws(Problem) -> Bool {
        let factor = try await services.asking { store throws(StoreError) in
            try await store.secondFactor(of: agent)
        }
        return factor?.confirmedAt != nil
    }

    /// Whether the person has passkeys and no code, and this session was begun with neither: it shows the password alone.
    func lacksPasskey(_ principal: AgentPrincipal) async throws(Problem) -> Bool {
        guard !principal.isByPasskey else { return false }
        let agent = principal.agent.id
        return try await services.asking { store throws(StoreError) in
            guard try await store.secondFactor(of: agent)?.confirmedAt == nil else { return false }
            return try await !store.passkeys(of: agent).isEmpty
        }
    }

    /// Whether a business is closed to such a session: then it changes nothing of what would open that, or the password
    /// alone would make itself a way in.
    func needsPasskey(_ principal: AgentPrincipal) async throws(Problem) -> Bool {
        guard !principal.waiting.isEmpty else { return false }
        return try await lacksPasskey(principal)
    }

    /// Refuses a session that `needsPasskey`.
    func requirePasskey(of principal: AgentPrincipal) async throws(Problem) {
        if try await needsPasskey(principal) { throw .passkeyRequired }
    }

    /// Lets an account go on whose password was right: without a second factor, or with the right code.
    ///
    /// - Throws: `second_factor_required`, `wrong_code`, `rate_limited`.
    func require(of agent: AgentID, _ typed: String?) async throws(Problem) {
        guard try await isActive(for: agent) else { return }
        guard let typed else { throw .secondFactorRequired }
        do throws(Problem) {
            try await judge(typed, of: agent) { store, proof, now throws(StoreError) in
                try await store.useSecondFactor(proof, of: agent, at: now)
            }
        } catch {
            // It was removed meanwhile.
            guard error.code == .secondFactorMissing else { throw error }
        }
    }

    /// Has a proof be judged by a call that uses it up, at the pace that wrong ones allow.
    ///
    /// - Throws: `wrong_code`, `rate_limited`, `second_factor_missing`.
    func judge(
        _ typed: String, of agent: AgentID,
        _ call: (any Store, SecondFactorProof, Timestamp) async throws(StoreError) ->
            SecondFactorOutcome
    ) async throws(Problem) {
        let found = try await KnownDevices(services: services).find(of: context.request)
        let device = found.flatMap { $0.agents.contains(agent) ? $0.token.digest : nil }
        try services.codes.begin(agent, device: device)
        guard let proof = SecondFactorProof(typed: typed, by: agent) else { throw .wrongCode }
        let now = services.time.now()
        let outcome = try await services.asking { store throws(StoreError) in
            try await call(store, proof, now)
        }
        switch outcome {
        case .accepted:
            services.codes.noteRight(agent, device: device)
            if case .recovery = proof {
                context.log.info("recovery_code_used", ["agent": .text(agent.text)])
            }
        case .wrong:
            context.log.info("second_factor_wrong", ["agent": .text(agent.text)])
            throw .wrongCode
        case .unreadable:
            context.log.error("second_factor_unreadable", ["agent": .text(agent.text)])
            throw Problem(
                .wrongCode,
                "The server cannot read the secret of this second factor any more: use a recovery "
                    + "code, or ask the operator to remove the second factor.")
        case .missing: throw .secondFactorMissing
        }
    }
}

extension Problem {
    static let secondFactorRequired = Problem(
        .secondFactorRequired, "The account has a second factor: send its code as well.")
    static let passkeyRequired = Problem(
        .passkeyRequired,
        "The account has a passkey, and this session was begun without it: sign in with the passkey first."
    )
    static let wrongCode = Problem(
        .wrongCode, "The code is wrong, too old, or was used before. Use the next one.")
    static let secondFactorMissing = Problem(
        .secondFactorMissing, "The account has no second factor, or none that is being set up.")
}
