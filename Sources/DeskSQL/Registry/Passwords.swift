public import DeskModel
public import DeskStore

/// What is stored of passwords.
enum Passwords {
    /// Makes a replacement, unless its cause does not hold any more; the changes that were made.
    static func replace(
        of agent: AgentID, by replacement: PasswordReplacement, on sql: any SQLSession
    ) throws(StoreError) -> [RegistryChange] {
        let cause = replacement.cause
        var name: String?
        var stored: String?
        switch cause {
        case .known(let former): stored = former
        case .link(let token, let wanted):
            guard try Sessions.find(token, on: sql)?.subject == .newPassword(agent) else {
                return []
            }
            name = wanted
        case .identity: break
        }
        guard try store(replacement.password, of: agent, in: stored, name: name, on: sql) else {
            return []
        }
        var changes = [RegistryChange.people(.saveAgent(agent))]
        if cause.endsIdentities, try Identities.removeAll(of: agent, on: sql) {
            changes.append(.people(.removeIdentities(of: agent)))
        }
        if cause.endsSecondFactor, try SecondFactors.remove(agent, on: sql) {
            changes.append(.people(.removeSecondFactor(of: agent)))
        }
        if cause.endsPasskeys, try Passkeys.removeAll(of: agent, on: sql) {
            changes.append(.people(.removePasskeys(of: agent)))
        }
        for subject in [SessionSubject.newPassword(agent), .agent(agent)]
        where try Sessions.end(of: subject, on: sql) {
            changes.append(.credentials(.endSessions(of: subject)))
        }
        try Devices.forget(of: agent, on: sql)
        return changes + [.people(.forgetDevices(of: agent))]
    }

    private static func store(
        _ new: String, of agent: AgentID, in stored: String?, name: String?,
        on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            """
            UPDATE agents SET password = ?\(name == nil ? "" : ", name = ?") WHERE id = ?\
            \(stored == nil ? "" : " AND password = ?")
            """)
        try statement.bind(new)
        if let name { try statement.bind(name) }
        try statement.bind(agent.value)
        if let stored { try statement.bind(stored) }
        return try statement.runCounting() == 1
    }
}

extension SQLRegistries {
    /// Replaces an agent's password, and ends what was begun with the former one, in one commit.
    public func replacePassword(
        of agent: AgentID, by replacement: PasswordReplacement
    ) async throws(StoreError) -> Bool {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            let changes = try Passwords.replace(of: agent, by: replacement, on: sql)
            for change in changes {
                entries.append(try recorder.record(change, by: .agent(agent), on: sql))
            }
            return !changes.isEmpty
        }
    }
}
