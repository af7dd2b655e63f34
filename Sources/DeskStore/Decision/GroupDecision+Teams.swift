public import DeskModel

extension SaveTeam {
    /// Answers with the team as it is then.
    public func decide(by decision: inout GroupDecision) throws(Undecided) -> Team {
        try decision.save(self)
    }
}

extension GroupDecision {
    /// Makes or changes a team; a change to what it is already has no event.
    mutating func save(_ step: SaveTeam) throws(Undecided) -> Team {
        _ = try require(step.business)
        let teams = try teams(of: step.business)
        let before = teams.first { $0.id == step.id }
        guard (before == nil) == step.isNew else { throw .refused(.notFound) }
        guard before != nil || teams.count < Team.most else { throw .refused(.unusable) }
        var team =
            before
            ?? Team(
                id: step.id, business: step.business, name: step.values.name ?? "",
                colour: step.values.colour ?? "")
        team.name = step.values.name ?? team.name
        team.colour = step.values.colour ?? team.colour
        team.isRetired = step.values.isRetired ?? team.isRetired
        let members =
            (step.values.members ?? team.members).filter { !step.values.leaving.contains($0) }
            + step.values.joining
        if members != team.members {
            team.members = try usable(members, in: step, beside: team.members)
        }
        guard team != before else { return team }
        let key = team.key
        guard !teams.contains(where: { $0.id != team.id && $0.key == key }) else {
            throw .refused(.nameTaken)
        }
        try keep(team, by: step.author, at: step.time)
        return team
    }

    /// Removes a person who leaves a business from its teams.
    mutating func removeFromTeams(
        _ agent: AgentID, of business: BusinessID, by author: Author, at time: Timestamp
    ) throws(Undecided) {
        for var team in try teams(of: business) where team.members.contains(agent) {
            team.members.removeAll { $0 == agent }
            try keep(team, by: author, at: time)
        }
    }

    /// Goes on only where a conversation may be given to a team.
    func requireTeam(
        _ change: ConversationChange, on conversation: Conversation
    ) throws(Undecided) {
        guard case .move(let to?) = change, to != conversation.team else { return }
        let teams = try teams(of: conversation.business)
        guard teams.contains(where: { $0.id == to && !$0.isRetired }) else {
            throw .refused(.unusable)
        }
    }

    /// Goes on only while a team looks after the conversation, or with nil none.
    func requireTeam(_ team: TeamID?, of conversation: ConversationID) throws(Undecided) {
        guard conversations[try require(conversation)].row.conversation.team == team else {
            throw .refused(.alreadyAssigned)
        }
    }

    /// The teams of a business, as earlier steps of the group left them.
    func teams(of business: BusinessID) throws(Undecided) -> [Team] {
        guard let teams = rows.teams[business] else { throw .needs(.teams(of: business)) }
        return teams
    }

    /// The people named, each once; those who were there before need not be looked up.
    private func usable(
        _ members: [AgentID], in step: SaveTeam, beside known: [AgentID]
    ) throws(Undecided) -> [AgentID] {
        var seen: Set<AgentID> = []
        let each = members.filter { seen.insert($0).inserted }
        guard each.count <= Team.mostMembers else { throw .refused(.unusable) }
        for member in seen.subtracting(known) {
            try requireMember(member, of: step.business, in: step.permitted)
        }
        return each
    }

    private mutating func keep(
        _ team: Team, by author: Author, at time: Timestamp
    ) throws(Undecided) {
        let number = try require(team.business)
        var teams = try teams(of: team.business)
        if let place = teams.firstIndex(where: { $0.id == team.id }) {
            teams[place] = team
        } else {
            teams.append(team)
        }
        rows.teams[team.business] = teams
        changes.append(.team(team))
        changes.append(
            .registry(.contents(.saveTeam(team.id, of: team.business)), author: author))
        append(
            .teamSaved, of: team.business, beside: nil, .json(TeamText.event(team, by: author)),
            EventPlace(business: number, conversation: nil, note: nil), at: time)
    }
}
