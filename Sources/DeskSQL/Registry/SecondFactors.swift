import DeskCrypto
public import DeskModel
public import DeskStore

/// The rows of second factors: whether a proof is right is decided here, in the transaction that uses it up.
package enum SecondFactors {
    struct Row {
        /// As it is stored; nil when its key was given up.
        let secret: [UInt8]?
        let recovery: [Digest]
        let usedStep: Int64
        let createdAt: Timestamp
        let confirmedAt: Timestamp?
    }

    static func find(_ agent: AgentID, on sql: any SQLSession) throws(StoreError) -> Row? {
        let statement = try sql.statement(
            literal: """
                SELECT secret, recovery, used_step, created_at, confirmed_at FROM second_factors \
                WHERE agent = ?
                """)
        try statement.bind(agent.value)
        return try statement.first { row in
            Row(
                secret: row.bytesIfAny(), recovery: digests(row.bytes()), usedStep: row.integer(),
                createdAt: row.time(), confirmedAt: row.timeIfAny())
        }
    }

    /// The secret as an app has it; nil when it cannot be read, so that no code is right.
    static func secret(
        of row: Row, _ agent: AgentID, _ keys: EncryptionKeys
    ) throws(StoreError) -> [UInt8]? {
        guard let stored = row.secret else { return nil }
        do throws(StoreError) {
            return try keys.decrypt(stored, as: Secrets.label(ofSecondFactor: agent))
        } catch {
            guard error.code == .keyMissing || error.code == .damaged else { throw error }
            return nil
        }
    }

    static func begin(
        _ secret: [UInt8], of agent: AgentID, at time: Timestamp, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        let statement = try sql.statement(
            literal: """
                INSERT INTO second_factors (agent, secret, recovery, used_step, created_at) \
                VALUES (?, ?, ?, 0, ?) ON CONFLICT (agent) DO UPDATE SET secret = excluded.secret, \
                recovery = excluded.recovery, used_step = 0, created_at = excluded.created_at \
                WHERE second_factors.confirmed_at IS NULL
                """)
        try statement.bind(agent.value)
        try statement.bind(keys.encrypt(secret, as: Secrets.label(ofSecondFactor: agent)))
        try statement.bind([UInt8]())
        try statement.bind(time)
        return try statement.runCounting() == 1
    }

    static func confirm(
        of agent: AgentID, _ code: String, recovery: [Digest], at time: Timestamp,
        _ keys: EncryptionKeys, on sql: any SQLSession
    ) throws(StoreError) -> SecondFactorOutcome {
        guard let row = try find(agent, on: sql), row.confirmedAt == nil else { return .missing }
        guard let secret = try secret(of: row, agent, keys) else { return .unreadable }
        guard let step = acceptedStep(code, secret, row, at: time) else { return .wrong }
        let statement = try sql.statement(
            literal: """
                UPDATE second_factors SET confirmed_at = ?, used_step = ?, recovery = ? \
                WHERE agent = ? AND confirmed_at IS NULL
                """)
        try statement.bind(time)
        try statement.bind(step)
        try statement.bind(bytes(recovery))
        try statement.bind(agent.value)
        return try statement.runCounting() == 1 ? .accepted : .missing
    }

    static func use(
        _ proof: SecondFactorProof, of agent: AgentID, at time: Timestamp, _ keys: EncryptionKeys,
        on sql: any SQLSession
    ) throws(StoreError) -> SecondFactorOutcome {
        guard let row = try find(agent, on: sql), row.confirmedAt != nil else { return .missing }
        switch proof {
        case .recovery(let digest):
            guard row.recovery.contains(digest) else { return .wrong }
            try keep(row.recovery.filter { $0 != digest }, of: agent, on: sql)
            return .accepted
        case .code(let code):
            guard let secret = try secret(of: row, agent, keys) else { return .unreadable }
            guard let step = acceptedStep(code, secret, row, at: time) else { return .wrong }
            let statement = try sql.statement(
                literal: """
                    UPDATE second_factors SET used_step = ?1 WHERE agent = ?2 AND used_step < ?1
                    """)
            try statement.bind(step)
            try statement.bind(agent.value)
            return try statement.runCounting() == 1 ? .accepted : .wrong
        }
    }

    static func keep(
        _ recovery: [Digest], of agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "UPDATE second_factors SET recovery = ? WHERE agent = ?")
        try statement.bind(bytes(recovery))
        try statement.bind(agent.value)
        try statement.run()
    }

    static func remove(_ agent: AgentID, on sql: any SQLSession) throws(StoreError) -> Bool {
        let statement = try sql.statement(literal: "DELETE FROM second_factors WHERE agent = ?")
        try statement.bind(agent.value)
        return try statement.runCounting() == 1
    }

    /// Removes one that is being set up.
    static func removeUnconfirmed(
        _ agent: AgentID, on sql: any SQLSession
    ) throws(StoreError) {
        let statement = try sql.statement(
            literal: "DELETE FROM second_factors WHERE agent = ? AND confirmed_at IS NULL")
        try statement.bind(agent.value)
        try statement.run()
    }

    private static func acceptedStep(
        _ code: String, _ secret: [UInt8], _ row: Row, at time: Timestamp
    ) -> Int64? {
        TOTP.acceptedStep(
            code, of: secret, around: TOTP.step(atSecond: time.milliseconds / 1_000),
            after: row.usedStep)
    }

    private static func bytes(_ digests: [Digest]) -> [UInt8] { digests.flatMap(\.bytes) }

    private static func digests(_ bytes: [UInt8]) -> [Digest] {
        stride(from: 0, to: bytes.count, by: SHA256.byteCount).compactMap { start in
            Digest(bytes: Array(bytes[start..<min(start + SHA256.byteCount, bytes.count)]))
        }
    }
}

extension SQLRegistries {
    /// Finds the second factor of an account, one that is being set up included.
    public func secondFactor(of agent: AgentID) async throws(StoreError) -> SecondFactor? {
        let keys = encryptionKeys
        return try await readRegistry { sql throws(StoreError) in
            guard let row = try SecondFactors.find(agent, on: sql) else { return nil }
            let isReadable = try SecondFactors.secret(of: row, agent, keys) != nil
            return SecondFactor(
                agent: agent, createdAt: row.createdAt, confirmedAt: row.confirmedAt,
                recoveryLeft: row.recovery.count, isReadable: isReadable)
        }
    }

    /// The members of a business who have a second factor that is asked for, or a passkey.
    public func agentsWithSecondFactor(
        in business: BusinessID
    ) async throws(StoreError) -> Set<AgentID> {
        try await readRegistry { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    SELECT m.agent FROM memberships m WHERE m.business = ? AND (EXISTS (SELECT 1 \
                    FROM second_factors f WHERE f.agent = m.agent AND f.confirmed_at IS NOT NULL) \
                    OR EXISTS (SELECT 1 FROM passkeys p WHERE p.agent = m.agent))
                    """)
            try statement.bind(business.value)
            return Set(try statement.all { row throws(StoreError) in AgentID(try row.id()) })
        }
    }

    /// Keeps a secret that is asked for once it is confirmed; false where the account has a factor.
    public func beginSecondFactor(
        _ secret: [UInt8], of agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        let keys = encryptionKeys
        return try await change(
            .people(.beginSecondFactor(of: agent)), author: .agent(agent), where: { $0 }
        ) { sql throws(StoreError) in
            try SecondFactors.begin(secret, of: agent, at: time, keys, on: sql)
        }
    }

    /// Has a second factor be asked for, when the code is right; ends the account's other sessions, and forgets
    /// its devices.
    public func confirmSecondFactor(
        of agent: AgentID, _ code: String, recovery: [Digest], keeping session: Digest,
        at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome {
        let keys = encryptionKeys
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            let subject = SessionSubject.agent(agent)
            guard try Sessions.isLive(session, of: subject, at: time, on: sql) else {
                return .missing
            }
            let outcome = try SecondFactors.confirm(
                of: agent, code, recovery: recovery, at: time, keys, on: sql)
            guard outcome == .accepted else { return outcome }
            try Sessions.shorten(of: subject, except: session, until: time, on: sql)
            try Devices.forget(of: agent, on: sql)
            for change: RegistryChange in [
                .people(.confirmSecondFactor(of: agent)),
                .credentials(.shortenSessions(of: subject)),
                .people(.forgetDevices(of: agent)),
            ] {
                entries.append(try recorder.record(change, by: .agent(agent), on: sql))
            }
            return outcome
        }
    }

    /// Judges a proof, and uses it up: of several callers with one proof exactly one is accepted.
    public func useSecondFactor(
        _ proof: SecondFactorProof, of agent: AgentID, at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome {
        let used: PeopleChange =
            switch proof {
            case .code: .useSecondFactor(of: agent)
            case .recovery: .useRecoveryCode(of: agent)
            }
        let keys = encryptionKeys
        return try await change(
            .people(used), author: .agent(agent), where: { $0 == .accepted }
        ) { sql throws(StoreError) in
            try SecondFactors.use(proof, of: agent, at: time, keys, on: sql)
        }
    }

    /// Gives an account new recovery codes in place of those it has, when the proof is right.
    public func replaceRecoveryCodes(
        of agent: AgentID, _ proof: SecondFactorProof, by recovery: [Digest], at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome {
        let keys = encryptionKeys
        return try await change(
            .people(.replaceRecoveryCodes(of: agent)), author: .agent(agent),
            where: { $0 == .accepted }
        ) { sql throws(StoreError) in
            let outcome = try SecondFactors.use(proof, of: agent, at: time, keys, on: sql)
            if outcome == .accepted { try SecondFactors.keep(recovery, of: agent, on: sql) }
            return outcome
        }
    }

    /// Removes an account's second factor, when the proof is right.
    public func removeSecondFactor(
        of agent: AgentID, _ proof: SecondFactorProof, at time: Timestamp
    ) async throws(StoreError) -> SecondFactorOutcome {
        let keys = encryptionKeys
        return try await change(
            .people(.removeSecondFactor(of: agent)), author: .agent(agent),
            where: { $0 == .accepted }
        ) { sql throws(StoreError) in
            let outcome = try SecondFactors.use(proof, of: agent, at: time, keys, on: sql)
            if outcome == .accepted { _ = try SecondFactors.remove(agent, on: sql) }
            return outcome
        }
    }

    /// Removes an account's second factor and its passkeys without a proof; returns whether there was any.
    public func removeSecondFactor(
        of agent: AgentID, author: Author
    ) async throws(StoreError) -> Bool {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            var changes: [RegistryChange] = []
            if try SecondFactors.remove(agent, on: sql) {
                changes.append(.people(.removeSecondFactor(of: agent)))
            }
            if try Passkeys.removeAll(of: agent, on: sql) {
                changes.append(.people(.removePasskeys(of: agent)))
            }
            for change in changes {
                entries.append(try recorder.record(change, by: author, on: sql))
            }
            return !changes.isEmpty
        }
    }

    /// Asks, or asks no longer, that the members of a business have a second factor.
    public func requireSecondFactor(
        _ isRequired: Bool, in business: BusinessID, by owner: AgentID
    ) async throws(StoreError) -> RequirementOutcome {
        try await change(
            .people(.requireSecondFactor(isRequired, in: business)), author: .agent(owner),
            where: { $0 == .changed }
        ) { sql throws(StoreError) in
            if isRequired {
                let own = try SecondFactors.find(owner, on: sql)
                let hasPasskey = try !Passkeys.all(of: owner, on: sql).isEmpty
                guard own?.confirmedAt != nil || hasPasskey else { return .withoutFactor }
            }
            let statement = try sql.statement(
                literal: """
                    UPDATE businesses SET requires_second_factor = ? WHERE id = ? \
                    AND requires_second_factor != ?
                    """)
            try statement.bind(isRequired)
            try statement.bind(business.value)
            try statement.bind(isRequired)
            return try statement.runCounting() == 1 ? .changed : .unchanged
        }
    }
}
