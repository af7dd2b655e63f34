package import DeskModel
public import DeskStore

extension SQLRegistries {
    /// Makes a change of the registries; every one goes through here or `change(as:)`.
    ///
    /// The change and the audit's record of it are one transaction; what follows of it has happened
    /// when this returns, on every node (`RegistryRecorder.committed`, `publish`).
    ///
    /// - Parameter changes: whether what the body answers means that something was changed; where it
    ///   does not, nothing is recorded.
    package func change<Value: Sendable>(
        _ change: RegistryChange, author: Author,
        where changes: @escaping @Sendable (Value) -> Bool = { _ in true },
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await self.change(as: { changes($0) ? (change, author) : nil }, body)
    }

    /// Makes a change that is known, with its author, only when it is made; nil says that nothing was changed.
    package func change<Value: Sendable>(
        as made: @escaping @Sendable (Value) -> (RegistryChange, Author)?,
        _ body: @escaping @Sendable (any SQLSession) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            let value = try body(sql)
            if let (change, author) = made(value) {
                entries.append(try recorder.record(change, by: author, on: sql))
            }
            return value
        }
    }

    /// Where changes of credentials are applied, on every node, before they are answered.
    public var credentials: any CredentialFeed { registryRecorder.credentials }

    /// Calls `listener` with the changes of each transaction.
    public func followRegistries(_ listener: @escaping @Sendable ([RegistryEntry]) -> Void) {
        registryRecorder.follow(listener)
    }
}

extension RegistryChange {
    /// What lookups remember of that which it changes.
    ///
    /// What is added needs no mention: that something is not there is never remembered.
    var forgotten: [Remembered] {
        switch self {
        case .people(let change): change.forgotten
        case .credentials(let change): change.forgotten
        case .contents, .links: []
        }
    }
}

extension PeopleChange {
    fileprivate var forgotten: [Remembered] {
        switch self {
        case .saveBusiness(let id): [.business(id)]
        case .saveAgent(let id): [.agent(id)]
        case .addFirstOwner(let id), .acceptInvitation(_, to: _, by: let id):
            [.agent(id), .memberships(of: id)]
        case .setRole(_, of: let agent, in: _), .changeMember(let agent, of: _, to: _),
            .confirmSecondFactor(of: let agent), .removeSecondFactor(of: let agent):
            [.memberships(of: agent)]
        case .requireSecondFactor(_, in: let business):
            [.business(business), .members(of: business)]
        case .saveEntryLink, .removeEntryLink, .addInvitation, .removeInvitation,
            .pruneInvitations, .chooseAvailability, .savePreferences, .rememberDevice,
            .forgetDevices, .linkIdentity, .removeIdentities, .pruneDevices,
            .beginSecondFactor, .useSecondFactor,
            .useRecoveryCode, .replaceRecoveryCodes, .addPasskey, .usePasskey, .removePasskey,
            .removePasskeys, .provisionPerson, .unprovisionPerson, .provisionTeam,
            .unprovisionTeam, .saveApprovalRules, .moveApproval,
            .explainApproval, .pruneApprovals:
            []
        }
    }
}

extension CredentialChange {
    fileprivate var forgotten: [Remembered] {
        switch self {
        case .revokeKey(let id), .touchKey(let id), .replaceKey(let id, by: _),
            .removeGrant(of: let id, for: _),
            .confirmGrant(of: let id, for: _):
            [.key(id)]
        case .touchSession(let token), .takeSession(let token, of: _): [.session(token)]
        case .endSessions(of: let subject), .shortenSessions(of: let subject):
            [.sessions(of: subject)]
        case .pruneSessions(before: let time): [.expiredSessions(before: time)]
        case .addKey, .noteKeyRequests, .addSession, .addJoinCode, .typeJoinCode, .useJoinCode,
            .pruneJoinCodes:
            []
        }
    }
}
