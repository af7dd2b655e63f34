public import DeskModel
public import DeskStore

extension Approvals {
    /// Whether a person who approved may still do so.
    private static func isOwner(
        _ person: AgentID?, of business: BusinessID, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        guard let person else { return false }
        return try Agents.role(of: person, in: business, on: sql) == .owner
    }

    /// What a request of one business waits for.
    private enum Standing {
        /// It needs nothing, or what it has lasts.
        case granted
        /// It is granted by this approval, which is used up then.
        case granting(Approval)
        /// It waits.
        case waiting(Approval)
        /// It is not known yet.
        case unknown
    }

    private static func standing(
        of one: Approval, repeats: Bool, on sql: any SQLSession
    ) throws(StoreError) -> Standing {
        guard try rules(of: one.business, on: sql)?.guards(one.area) == true else {
            return .granted
        }
        let now = one.madeAt
        for found in try all(like: one, on: sql) {
            switch found.state {
            case .approved where now < found.expiresAt:
                guard try isOwner(found.decider, of: one.business, on: sql) else { continue }
                return .granting(found)
            case .used:
                guard repeats, let usedAt = found.usedAt,
                    now < usedAt.advanced(by: Approval.repeats),
                    try isOwner(found.decider, of: one.business, on: sql)
                else { continue }
                return .granted
            case .waiting where now < found.expiresAt: return .waiting(found)
            case .waiting, .approved, .refused, .withdrawn: continue
            }
        }
        return .unknown
    }

    /// Whether a request may wait beside those that do.
    private static func hasRoom(
        for one: Approval, on sql: any SQLSession
    ) throws(StoreError) -> Bool {
        // To guard less must stay possible whatever waits.
        if one.area == .approvals { return true }
        let count = try countWaiting(
            of: one.business, by: one.author, at: one.madeAt, on: sql)
        let isKey = if case .key = one.author { true } else { false }
        return count.all < Approval.mostWaiting
            && count.own < (isKey ? Approval.mostOfKey : Approval.mostOfPerson)
    }

    /// Finds out whether a request may be carried out; `moved` is what was stored for it.
    ///
    /// No approval is used up before there is one for each business.
    static func use(
        _ requests: [Approval], repeats: Bool, moved: inout [Approval], on sql: any SQLSession
    ) throws(StoreError) -> ApprovalUse {
        var granting: [Approval] = []
        var waiting: [(Approval, isNew: Bool)] = []
        for one in requests {
            switch try standing(of: one, repeats: repeats, on: sql) {
            case .granted: break
            case .granting(let found): granting.append(found)
            case .waiting(let found): waiting.append((found, false))
            case .unknown:
                guard try hasRoom(for: one, on: sql) else { return .tooMany }
                waiting.append((one, true))
            }
        }
        for (one, isNew) in waiting where isNew {
            try add(one, on: sql)
            moved.append(one)
        }
        if let first = waiting.first { return .waiting(first.0, isNew: first.isNew) }
        for one in granting {
            var used = one
            used.state = .used
            used.usedAt = requests.first?.madeAt
            guard try move(used, from: .approved, on: sql) else {
                // Another node carries the same request out, or it was refused since.
                throw StoreError(.busy, "the approval was used meanwhile")
            }
            moved.append(used)
        }
        return .granted
    }

    /// Decides on a request; `moved` is what was stored for it.
    static func decide(
        _ decision: ApprovalDecision, on id: ApprovalID, of business: BusinessID,
        by person: AgentID, comment: String, at time: Timestamp, moved: inout Approval?,
        on sql: any SQLSession
    ) throws(StoreError) -> ApprovalOutcome {
        guard let found = try find(id, of: business, on: sql) else { return .notFound }
        let isOwn = found.person == person
        switch decision {
        case .approve, .refuse: guard !isOwn else { return .ownRequest }
        case .withdraw: guard isOwn else { return .othersRequest }
        }
        let isFit = found.state == .waiting || decision != .approve
        guard found.isOpen(at: time), isFit else { return .ended(found) }
        var next = found
        next.comment = comment
        switch decision {
        case .approve:
            next.state = .approved
            next.expiresAt = time.advanced(by: Approval.life)
        case .refuse: next.state = .refused
        case .withdraw: next.state = .withdrawn
        }
        if decision != .withdraw {
            next.decider = person
            next.decidedAt = time
        }
        guard try move(next, from: found.state, on: sql) else {
            return .ended(try find(id, of: business, on: sql) ?? found)
        }
        moved = next
        return .decided(next)
    }
}

extension SQLRegistries {
    /// Keeps a choice instead of the one before; where members are guarded from then on, open invitations of owners end.
    public func saveApprovalRules(
        _ rules: ApprovalRules, over before: ApprovalRules?, author: Author
    ) async throws(StoreError) -> ApprovalRulesOutcome {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            if !rules.areas.isEmpty {
                let owners = try Agents.ownersWhoSignIn(to: rules.business, on: sql)
                guard owners.count > 1 else { return .tooFewOwners }
            }
            guard try Approvals.save(rules, over: before, on: sql) else { return .changed }
            entries.append(
                try recorder.record(
                    .people(.saveApprovalRules(of: rules.business)), by: author, on: sql))
            if rules.areas.contains(.members), before?.areas.contains(.members) != true {
                for id in try Invitations.withdrawOwners(of: rules.business, on: sql) {
                    entries.append(
                        try recorder.record(
                            .people(.removeInvitation(id, to: rules.business)), by: author,
                            on: sql))
                }
            }
            return .saved
        }
    }

    /// Finds out whether a request may be carried out, and adds it to those that wait where a second person has to
    /// look at it first.
    public func useApprovals(
        _ requests: [Approval], repeats: Bool
    ) async throws(StoreError) -> ApprovalUse {
        let recorder = registryRecorder
        return try await writeRegistry { sql, entries throws(StoreError) in
            var moved: [Approval] = []
            let use = try Approvals.use(requests, repeats: repeats, moved: &moved, on: sql)
            for one in moved {
                entries.append(
                    try recorder.record(.people(one.change), by: one.author, on: sql))
            }
            return use
        }
    }

    /// Says why a waiting request is asked for; false where its author is another or it waits no more.
    public func explainApproval(
        _ id: ApprovalID, of business: BusinessID, reason: String, author: Author
    ) async throws(StoreError) -> Bool {
        try await change(
            .people(.explainApproval(id, of: business)), author: author, where: { $0 }
        ) { sql throws(StoreError) in
            let statement = try sql.statement(
                literal: """
                    UPDATE approvals SET reason = ? WHERE id = ? AND business = ? \
                    AND state = 'waiting' AND author_kind = ? AND author_name = ?
                    """)
            try statement.bind(reason)
            try statement.bind(id.value)
            try statement.bind(business.value)
            try statement.bind(author.kind)
            try statement.bind(author.name)
            return try statement.runCounting() == 1
        }
    }

    /// Decides on a request.
    public func decide(
        _ decision: ApprovalDecision, on id: ApprovalID, of business: BusinessID,
        by person: AgentID, comment: String, permitted: Set<Role>, at time: Timestamp
    ) async throws(StoreError) -> ApprovalOutcome {
        try await change(as: { (made: (outcome: ApprovalOutcome, moved: Approval?)) in
            made.moved.map { (.people($0.change), .agent(person)) }
        }) { sql throws(StoreError) in
            _ = try Agents.requireRole(permitted, of: person, in: business, on: sql)
            var moved: Approval?
            let outcome = try Approvals.decide(
                decision, on: id, of: business, by: person, comment: comment, at: time,
                moved: &moved, on: sql)
            return (outcome, moved)
        }.outcome
    }

    /// Forgets requests from before a moment.
    public func pruneApprovals(before time: Timestamp) async throws(StoreError) {
        try await change(.people(.pruneApprovals(before: time)), author: .server) {
            sql throws(StoreError) in
            let statement = try sql.statement(literal: "DELETE FROM approvals WHERE made_at < ?")
            try statement.bind(time)
            try statement.run()
        }
    }
}

extension Approval {
    /// What the audit log says of the state that it has now.
    fileprivate var change: PeopleChange {
        .moveApproval(id, of: business, to: state, operation: operation)
    }
}
