import DeskModel

extension GroupDecision {
    /// Chooses how a business or a team assigns by itself.
    mutating func save(_ step: SaveAssignment) throws(Undecided) {
        let number = try require(step.business)
        if let team = step.team {
            guard
                try teams(of: step.business).contains(where: { $0.id == team && !$0.isRetired })
            else { throw .refused(.notFound) }
        }
        for agent in step.stored?.capacities.keys.sorted(by: { $0.text < $1.text }) ?? [] {
            try requireMember(agent, of: step.business, in: step.permitted)
        }
        var settings = try assignment(of: step.business)
        if let team = step.team {
            settings.teams[team] = step.stored?.rule
        } else {
            settings.rule = step.stored?.rule ?? AssignmentRule()
            settings.capacities = step.stored?.capacities ?? [:]
        }
        rows.assignments[step.business] = settings
        changes.append(.assignment(step.stored, of: step.business, for: step.team))
        changes.append(
            .registry(
                .contents(.saveAssignment(of: step.business, for: step.team)), author: step.author))
        append(
            .assignmentSaved, of: step.business, beside: nil, .json(step.event),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
    }

    /// Assigns a conversation to the next agent by its rule.
    mutating func assign(_ step: AssignAutomatically) throws(Undecided) -> AssignmentOutcome {
        let place = try require(step.conversation)
        let before = conversations[place].row.conversation
        guard before.assignee == nil, before.state == .open, before.waitingSince != nil,
            !before.hasLeft, before.blockedAt == nil
        else { return .notDue }
        let settings = try assignment(of: before.business)
        let rule = settings.rule(of: before.team)
        guard rule.strategy != .off, try controllingBot(of: before) == nil else { return .notDue }
        let members = try before.team.map { team throws(Undecided) in
            try teams(of: before.business).first { $0.id == team }?.members ?? []
        }
        guard var load = rows.workloads[before.business] else {
            throw .needs(.workload(of: before.business))
        }
        let able = step.online.filter { agent in
            (members?.contains(agent) ?? true)
                && (load.roles[agent].map { step.permitted.contains($0) } ?? false)
                && load.open[agent, default: 0] < settings.capacity(of: agent, by: rule)
        }
        guard !able.isEmpty else { return .full }
        guard let earlier = rows.earlierCare[before.id] else {
            throw .needs(.earlierCare(of: before.id))
        }
        let free = able.filter { !earlier.keeps(from: $0, by: rule, at: step.time) }
        guard let (agent, cause) = Self.next(of: free, by: rule, load, earlier) else {
            return .reserved
        }
        var row = row(at: place)
        _ = row.conversation.take(.assign(agent))
        let giveBack = try giveBack(of: row.conversation, since: step.time)
        row.conversation.activity = Position(newest + 1)
        let state = row.conversation.step(by: .server, .assignee(from: nil, to: agent, by: cause))
        append(
            .conversationAssigned, to: &row, at: place, body: .conversation(state), at: step.time)
        changes.append(.assignmentTurn(agent, of: before.business, newest))
        load.open[agent, default: 0] += 1
        load.turns[agent] = newest
        rows.workloads[before.business] = load
        rows.earlierCare[before.id] = nil
        if let giveBack { put(giveBack) }
        keep(row, at: place, .ofItsRow)
        return .assigned(agent)
    }

    /// Returns a conversation that its agent did not answer.
    mutating func giveBack(_ step: GiveBack) throws(Undecided) {
        let place = try require(step.conversation)
        var row = row(at: place)
        guard row.conversation.assignee == step.agent, row.conversation.state == .open,
            row.conversation.waitingSince == step.since
        else { throw .refused(.preconditionFailed) }
        _ = row.conversation.take(.assign(nil))
        row.conversation.activity = Position(newest + 1)
        let state = row.conversation.step(
            by: .server, .assignee(from: step.agent, to: nil, by: .givenBack))
        append(
            .conversationAssigned, to: &row, at: place, body: .conversation(state), at: step.time)
        keep(row, at: place, .ofItsRow)
    }

    /// The work that returns a conversation from its assignee; nil where the customer does not wait, or
    /// no rule returns it.
    func giveBack(
        of conversation: Conversation, since time: Timestamp
    ) throws(Undecided) -> DueWork? {
        guard conversation.assignee != nil, conversation.waitingSince != nil else { return nil }
        let rule = try assignment(of: conversation.business).rule(of: conversation.team)
        guard let minutes = rule.giveBackMinutes else { return nil }
        return DueWork(
            DueWork.Name(.giveBack, in: conversation.id), of: conversation.business,
            dueAt: time.advanced(by: .seconds(minutes * 60)), madeAt: time, author: .server)
    }

    /// The work that begins with a message of a customer who did not wait yet; none for a copy.
    func giveBack(
        after message: NewMessage, before: Conversation
    ) throws(Undecided) -> DueWork? {
        guard message.submission.facts.direction == .inbound, !message.isCopy,
            before.assignee != nil, before.waitingSince == nil
        else { return nil }
        var waiting = before
        waiting.waitingSince = message.time
        return try giveBack(of: waiting, since: message.time)
    }

    private func assignment(of business: BusinessID) throws(Undecided) -> AssignmentSettings {
        guard let known = rows.assignments[business] else {
            throw .needs(.assignment(of: business))
        }
        return known
    }

    /// Who is next; nil among none.
    private static func next(
        of free: [AgentID], by rule: AssignmentRule, _ load: Workload, _ earlier: EarlierCare
    ) -> (AgentID, AssignmentCause)? {
        if rule.isSticky, let last = earlier.answeredBy, free.contains(last) {
            return (last, .sticky)
        }
        let turn: (AgentID) -> Int64 = { load.turns[$0, default: 0] }
        switch rule.strategy {
        case .off: return nil
        case .roundRobin:
            return free.min { turn($0) < turn($1) }.map { ($0, .roundRobin) }
        case .leastBusy:
            let open: (AgentID) -> Int = { load.open[$0, default: 0] }
            return free.min { (open($0), turn($0)) < (open($1), turn($1)) }
                .map { ($0, .leastBusy) }
        }
    }
}

extension EarlierCare {
    /// Whether a conversation that was an agent's is not given to the same one yet.
    ///
    /// What a person removed from an agent stays so until another has had it; what went back by itself, for as
    /// long as it had waited.
    fileprivate func keeps(from agent: AgentID, by rule: AssignmentRule, at time: Timestamp) -> Bool
    {
        guard let taken, taken.agent == agent else { return false }
        guard taken.cause == .givenBack else { return true }
        return time < taken.time.advanced(by: .seconds((rule.giveBackMinutes ?? 0) * 60))
    }
}
